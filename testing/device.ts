/** A browser's storage and dashboard cookies, for tests of data on a device. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";

/**
 * Gives each test an empty device storage. Modules imported during a file's tests use it instead of a
 * browser's. Later files do not see it, although they share the process.
 *
 * @param load imports the tested modules
 */
export function useFakeDevice<Modules>(load: () => Promise<Modules>) {
  const stored = new Map<string, unknown>();
  const cookies = new Map<string, string>();
  const device = {
    /** Stored values by name. */
    stored,
    cookies,
    /** Every cookie as written, in order. */
    written: [] as string[],
    /** Whether every write fails. */
    isFull: false,
    takesCookies: true,
    /** Called during each write. */
    onWrite: undefined as (() => void) | undefined,
    /** Opens another page of the site. */
    goTo: (pathname: string) =>
      vi.stubGlobal("location", { pathname, origin: "https://naturestrip.test", search: "" }),
    modules: undefined as Modules,
  };
  /** Any page may write a dashboard cookie. Only pages below the dashboard can read it. */
  const cookieJar = {
    get cookie() {
      const isDashboardPath = /^\/dashboard(\/|$)/.test(location.pathname);
      return isDashboardPath ? [...cookies].map((pair) => pair.join("=")).join("; ") : "";
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
      createStore: () => stored,
      get: (name: string) => Promise.resolve(stored.get(name)),
      set: async (name: string, value: unknown) => {
        device.onWrite?.();
        if (device.isFull) throw new DOMException("No room", "QuotaExceededError");
        stored.set(name, value);
      },
      del: (name: string) => Promise.resolve(void stored.delete(name)),
      keys: () => Promise.resolve([...stored.keys()]),
      clear: () => Promise.resolve(stored.clear()),
    }));
    // Another file may already have loaded these modules with other storage.
    vi.resetModules();
    device.modules = await load();
  });
  afterAll(() => {
    vi.doUnmock("idb-keyval");
    vi.resetModules();
  });
  beforeEach(() => {
    stored.clear();
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
