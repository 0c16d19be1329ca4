export const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a URL is on this machine or inside a test. Stand-ins may only have such URLs. */
export function isStandInUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (LOOPBACK.test(url.hostname) || url.hostname.endsWith(".test"));
}
