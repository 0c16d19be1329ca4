/**
 * Measures a task's CPU time on its thread, regardless of other load on the machine. Runs in Node.
 *
 * @returns CPU time in ms
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
