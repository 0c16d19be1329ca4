import { expect, test } from "vitest";

import { setDevice } from "../../testing/device.ts";

const device = setDevice(() => import("./sealed-store.ts"));

test("a page that cannot read the key keeps nothing, and leaves what others kept as it is", async () => {
  const { keepSealed, readAllSealed } = device.modules;
  await keepSealed("change:1", "before");
  device.goTo("/settings");
  await keepSealed("change:2", "an undo");
  expect(await readAllSealed("change:")).toEqual([]);
  device.goTo("/dashboard/offline");
  expect(await readAllSealed("change:")).toEqual(["before"]);
});

test("the key lasts a week from the last time something was kept, so that a night's end of a session costs nothing", async () => {
  await device.modules.keepSealed("change:1", "one");
  await device.modules.keepSealed("change:2", "two");
  expect(device.written).toHaveLength(2);
  expect(new Set(device.written).size).toBe(1);
  expect(device.written[0]).toMatch(
    /^offline_key=[^;]{40,}; Path=\/dashboard; Max-Age=604800; SameSite=Strict; Secure$/,
  );
});

test("what does not open is dropped, and nothing else", async () => {
  const { keepSealed, readAllSealed, readSealed } = device.modules;
  await keepSealed("sealed", "leads");
  await keepSealed("change:1", "one");
  await keepSealed("change:2", "two");
  device.kept.set("change:1", { iv: new Uint8Array(12), bytes: new ArrayBuffer(32) });
  expect(await readAllSealed("change:")).toEqual(["two"]);
  expect(await readSealed("sealed")).toBe("leads");
  expect([...device.kept.keys()]).toEqual(["sealed", "change:2"]);
});

test("without the key all that is kept is wiped", async () => {
  const { keepSealed, readSealed } = device.modules;
  await keepSealed("sealed", "leads");
  device.cookies.clear();
  expect(await readSealed("sealed")).toBeNull();
  expect(device.kept.size).toBe(0);
});

test("a thing is called kept only where it opens again", async () => {
  const { keepSealed, keepsAnything, readSealed } = device.modules;
  expect(await keepSealed("change:1", "one")).toBe(true);
  device.goTo("/settings");
  expect(await keepSealed("change:2", "two")).toBe(false);
  device.goTo("/dashboard");
  device.isFull = true;
  expect([await keepSealed("change:2", "two"), await keepsAnything()]).toEqual([false, false]);
  device.isFull = false;
  expect(await keepsAnything()).toBe(true);
  expect([...device.kept.keys()]).toEqual(["change:1"]);
  // A browser without cookies would not find the key again.
  device.takesCookies = false;
  device.cookies.clear();
  expect(await keepSealed("change:3", "three")).toBe(false);
  expect([...device.kept.keys()]).toEqual(["change:1"]);
  expect(await readSealed("change:1")).toBeNull();
});

test("two windows that make a key at the same moment lose nothing, and nothing follows who signs out", async () => {
  const { keepSealed, readSealed } = device.modules;
  const whileWritten = (work: () => void) => {
    device.onWrite = () => {
      device.onWrite = undefined;
      work();
    };
  };
  await keepSealed("change:1", "one");
  const other = device.cookies.get("offline_key")!;
  device.cookies.clear();
  whileWritten(() => device.cookies.set("offline_key", other));
  expect(await keepSealed("change:2", "two")).toBe(true);
  expect(await readSealed("change:2")).toBe("two");
  whileWritten(() => device.cookies.clear());
  expect(await keepSealed("change:2", "three")).toBe(false);
  expect([device.cookies.size, [...device.kept.keys()]]).toEqual([0, ["change:1"]]);
});
