/** The memory per open window, as the operating system reports it (Linux only). */
import { existsSync, readFileSync } from "node:fs";

/** Returns the process IDs of our Workers runtimes. */
export function runtimePids(): number[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Returns a process's resident memory in kB; null if the system does not report it. */
export function residentKb(pid: number): number | null {
  const file = `/proc/${pid}/status`;
  if (!pid || !existsSync(file)) return null;
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, "utf8"))?.[1];
  return kb === undefined ? null : Number(kb);
}

/** Ticks per second in which /proc counts CPU time; 100 on every Linux. */
const TICKS = 100;

/** Returns the CPU time that a process has used so far, in ms; null if the system does not report it. */
export function processorMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in brackets, may contain anything, so parse only the fields after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
  } catch {
    return null;
  }
}
