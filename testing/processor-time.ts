/**
 * How long a piece of work keeps its thread busy, whatever else the machine does meanwhile. Runs in Node.
 * @returns milliseconds of processor time
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
