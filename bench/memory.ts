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
