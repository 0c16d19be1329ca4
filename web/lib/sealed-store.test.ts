import { beforeEach, expect, test, vi } from "vitest";

import { keepSealed, readAllSealed, readSealed } from "./sealed-store.ts";

/** The device: what a browser's storage holds, its cookies of /dashboard, and the page that is open. */
const device = vi.hoisted(() => ({ kept: new Map<string, unknown>(), cookies: new Map<string, string>() }));

vi.mock("idb-keyval", () => ({
  createStore: () => device.kept,
  get: (name: string) => Promise.resolve(device.kept.get(name)),
  set: (name: string, kept: unknown) => Promise.resolve(void device.kept.set(name, kept)),
  del: (name: string) => Promise.resolve(void device.kept.delete(name)),
  keys: () => Promise.resolve([...device.kept.keys()]),
  clear: () => Promise.resolve(device.kept.clear()),
}));

const goTo = (pathname: string) => vi.stubGlobal("location", { pathname });

/** Any page may write a cookie of /dashboard, and only pages below it read it. */
const cookieJar = {
  get cookie() {
    const isBelow = /^\/dashboard(\/|$)/.test(location.pathname);
    return isBelow ? [...device.cookies].map((pair) => pair.join("=")).join("; ") : "";
  },
  set cookie(text: string) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (text.includes("Max-Age=0;")) device.cookies.delete(name);
    else device.cookies.set(name, value);
  },
};

beforeEach(() => {
  device.kept.clear();
  device.cookies.clear();
  vi.stubGlobal("document", cookieJar);
  goTo("/dashboard");
});

test("a page that cannot read the key keeps nothing, and leaves what others kept as it is", async () => {
  await keepSealed("change:1", "before");
  goTo("/settings");
  await keepSealed("change:2", "an undo");
  expect(await readAllSealed("change:")).toEqual([]);
  goTo("/dashboard/offline");
  expect(await readAllSealed("change:")).toEqual(["before"]);
});

test("what does not open is dropped, and nothing else", async () => {
  await keepSealed("sealed", "leads");
  await keepSealed("change:1", "one");
  await keepSealed("change:2", "two");
  device.kept.set("change:1", { iv: new Uint8Array(12), bytes: new ArrayBuffer(32) });
  expect(await readAllSealed("change:")).toEqual(["two"]);
  expect(await readSealed("sealed")).toBe("leads");
  expect([...device.kept.keys()]).toEqual(["sealed", "change:2"]);
});

test("without the key, which ends with the session, all that is kept is wiped", async () => {
  await keepSealed("sealed", "leads");
  device.cookies.clear();
  expect(await readSealed("sealed")).toBeNull();
  expect(device.kept.size).toBe(0);
});
