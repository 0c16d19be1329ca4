import { expect, test } from "vitest";

import { setDevice } from "../../testing/device.ts";

const device = setDevice(async () => ({
  ...(await import("./sealed-store.ts")),
  ...(await import("./keeps-anything.ts")),
}));

test("a page that cannot read the key stores nothing and deletes nothing", async () => {
  const { keepSealed, readAllSealed } = device.modules;
  await keepSealed("change:1", "before");
  device.goTo("/settings");
  await keepSealed("change:2", "an undo");
  expect(await readAllSealed("change:")).toEqual([]);
  device.goTo("/dashboard/offline");
  expect(await readAllSealed("change:")).toEqual(["before"]);
});

test("the key lasts a week from the last write, so stored data survives an expired session", async () => {
  await device.modules.keepSealed("change:1", "one");
  await device.modules.keepSealed("change:2", "two");
  expect(device.written).toHaveLength(2);
  expect(new Set(device.written).size).toBe(1);
  expect(device.written[0]).toMatch(
    /^offline_key=[^;]{40,}; Path=\/dashboard; Max-Age=604800; SameSite=Strict; Secure$/,
  );
});

test("a delete right after a write leaves nothing, although encrypting takes time", async () => {
  const { dropSealed, keepSealed } = device.modules;
  const written = [keepSealed("notes:1", "one"), dropSealed("notes:1"), keepSealed("notes:2", "two")];
  expect(await Promise.all(written)).toEqual([true, undefined, true]);
  expect([...device.kept.keys()]).toEqual(["notes:2"]);
});

test("keeps data written while the user opens a page that cannot read the key", async () => {
  const { keepSealed, readSealed } = device.modules;
  device.onWrite = () => device.goTo("/settings");
  expect(await keepSealed("notes:1", "one")).toBe(false);
  device.goTo("/dashboard");
  expect(await readSealed("notes:1")).toBe("one");
});

test("deletes only the data that the key cannot decrypt", async () => {
  const { keepSealed, readAllSealed, readSealed } = device.modules;
  await keepSealed("sealed", "leads");
  await keepSealed("change:1", "one");
  await keepSealed("change:2", "two");
  device.kept.set("change:1", { iv: new Uint8Array(12), bytes: new ArrayBuffer(32) });
  expect(await readAllSealed("change:")).toEqual(["two"]);
  expect(await readSealed("sealed")).toBe("leads");
  expect([...device.kept.keys()]).toEqual(["sealed", "change:2"]);
});

test("without the key, deletes all stored data", async () => {
  const { keepSealed, readSealed } = device.modules;
  await keepSealed("sealed", "leads");
  device.cookies.clear();
  expect(await readSealed("sealed")).toBeNull();
  expect(device.kept.size).toBe(0);
});

test("reports data as stored only if the device can decrypt it later", async () => {
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

test("two windows creating keys at once lose no data, and nothing remains after signing out", async () => {
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
