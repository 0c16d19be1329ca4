/** What an open window costs in memory, as the system counts it (Linux only). */
import { existsSync, readFileSync } from "node:fs";

/** The processes that run Workers for us. */
export function runtimePids(): number[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** A process's resident memory in kB; null where the system does not tell. */
export function residentKb(pid: number): number | null {
  const file = `/proc/${pid}/status`;
  if (!pid || !existsSync(file)) return null;
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, "utf8"))?.[1];
  return kb === undefined ? null : Number(kb);
}

/** Clock ticks of a second in which /proc counts; 100 on every Linux there is. */
const TICKS = 100;

/** Processor time a process has used so far, in ms; null where the system does not tell. */
export function processorMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything; what counts stands behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
  } catch {
    return null;
  }
}
