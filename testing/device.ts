/** A browser's storage and its cookies of the dashboard, for tests of what is kept on a device. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";

/**
 * What a device holds, empty before each test. Modules that are imported while the tests of a file run find it where
 * a browser has its own; the files after find nothing of it, though they share the process.
 * @param load imports what is tested
 */
export function setDevice<Modules>(load: () => Promise<Modules>) {
  const kept = new Map<string, unknown>();
  const cookies = new Map<string, string>();
  const device = {
    /** By name. */
    kept,
    cookies,
    /** Every cookie as it was written, the last one last. */
    written: [] as string[],
    /** Nothing can be written any more. */
    isFull: false,
    takesCookies: true,
    /** Happens while something is written. */
    onWrite: undefined as (() => void) | undefined,
    /** Opens another page of the site. */
    goTo: (pathname: string) => vi.stubGlobal("location", { pathname }),
    modules: undefined as Modules,
  };
  /** Any page may write a cookie of the dashboard, and only pages below it read it. */
  const cookieJar = {
    get cookie() {
      const isBelow = /^\/dashboard(\/|$)/.test(location.pathname);
      return isBelow ? [...cookies].map((pair) => pair.join("=")).join("; ") : "";
    },
    set cookie(text: string) {
      device.written.push(text);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (text.includes("Max-Age=0;")) cookies.delete(name);
      else if (device.takesCookies) cookies.set(name, value);
    },
  };
  beforeAll(async () => {
    vi.doMock("idb-keyval", () => ({
      createStore: () => kept,
      get: (name: string) => Promise.resolve(kept.get(name)),
      set: async (name: string, value: unknown) => {
        device.onWrite?.();
        if (device.isFull) throw new DOMException("No room", "QuotaExceededError");
        kept.set(name, value);
      },
      del: (name: string) => Promise.resolve(void kept.delete(name)),
      keys: () => Promise.resolve([...kept.keys()]),
      entries: () => Promise.resolve([...kept.entries()]),
      clear: () => Promise.resolve(kept.clear()),
    }));
    // Another file may have them already, with a browser's own storage.
    vi.resetModules();
    device.modules = await load();
  });
  afterAll(() => {
    vi.doUnmock("idb-keyval");
    vi.resetModules();
  });
  beforeEach(() => {
    kept.clear();
    cookies.clear();
    device.written = [];
    Object.assign(device, { isFull: false, takesCookies: true, onWrite: undefined });
    vi.stubGlobal("document", cookieJar);
    vi.stubGlobal("navigator", { cookieEnabled: true, onLine: true });
    device.goTo("/dashboard");
  });
  afterEach(() => void vi.unstubAllGlobals());
  return device;
}
