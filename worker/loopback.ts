/** Hosts of this machine. */
export const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A stand-in is on this machine, or answered inside a test: no other host can be called in its name. */
export function isStandInUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (LOOPBACK.test(url.hostname) || url.hostname.endsWith(".test"));
}
