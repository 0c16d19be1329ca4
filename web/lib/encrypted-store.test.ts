import { expect, test } from "vitest";

import { useFakeDevice } from "../../testing/device.ts";

const device = useFakeDevice(async () => ({
  ...(await import("./encrypted-store.ts")),
  ...(await import("./can-store-data.ts")),
}));

test("a page that cannot read the key stores nothing and deletes nothing", async () => {
  const { storeEncrypted, readAllEncrypted } = device.modules;
  await storeEncrypted("change:1", "before");
  device.goTo("/settings");
  await storeEncrypted("change:2", "an undo");
  expect(await readAllEncrypted("change:")).toEqual([]);
  device.goTo("/dashboard/offline");
  expect(await readAllEncrypted("change:")).toEqual(["before"]);
});

test("the key lasts a week from the last write, so stored data survives an expired session", async () => {
  await device.modules.storeEncrypted("change:1", "one");
  await device.modules.storeEncrypted("change:2", "two");
  expect(device.written).toHaveLength(2);
  expect(new Set(device.written).size).toBe(1);
  expect(device.written[0]).toMatch(
    /^offline_key=[^;]{40,}; Path=\/dashboard; Max-Age=604800; SameSite=Strict; Secure$/,
  );
});

test("a delete right after a write leaves nothing, although encrypting takes time", async () => {
  const { deleteEncrypted, storeEncrypted } = device.modules;
  const written = [
    storeEncrypted("notes:1", "one"),
    deleteEncrypted("notes:1"),
    storeEncrypted("notes:2", "two"),
  ];
  expect(await Promise.all(written)).toEqual([true, undefined, true]);
  expect([...device.stored.keys()]).toEqual(["notes:2"]);
});

test("keeps data written while the user opens a page that cannot read the key", async () => {
  const { storeEncrypted, readEncrypted } = device.modules;
  device.onWrite = () => device.goTo("/settings");
  expect(await storeEncrypted("notes:1", "one")).toBe(false);
  device.goTo("/dashboard");
  expect(await readEncrypted("notes:1")).toBe("one");
});

test("deletes only the data that the key cannot decrypt", async () => {
  const { storeEncrypted, readAllEncrypted, readEncrypted } = device.modules;
  await storeEncrypted("sealed", "leads");
  await storeEncrypted("change:1", "one");
  await storeEncrypted("change:2", "two");
  device.stored.set("change:1", { iv: new Uint8Array(12), bytes: new ArrayBuffer(32) });
  expect(await readAllEncrypted("change:")).toEqual(["two"]);
  expect(await readEncrypted("sealed")).toBe("leads");
  expect([...device.stored.keys()]).toEqual(["sealed", "change:2"]);
});

test("without the key, deletes all stored data", async () => {
  const { storeEncrypted, readEncrypted } = device.modules;
  await storeEncrypted("sealed", "leads");
  device.cookies.clear();
  expect(await readEncrypted("sealed")).toBeNull();
  expect(device.stored.size).toBe(0);
});

test("reports data as stored only if the device can decrypt it later", async () => {
  const { storeEncrypted, canStoreData, readEncrypted } = device.modules;
  expect(await storeEncrypted("change:1", "one")).toBe(true);
  device.goTo("/settings");
  expect(await storeEncrypted("change:2", "two")).toBe(false);
  device.goTo("/dashboard");
  device.isFull = true;
  expect([await storeEncrypted("change:2", "two"), await canStoreData()]).toEqual([false, false]);
  device.isFull = false;
  expect(await canStoreData()).toBe(true);
  expect([...device.stored.keys()]).toEqual(["change:1"]);
  // A browser without cookies would not find the key again.
  device.takesCookies = false;
  device.cookies.clear();
  expect(await storeEncrypted("change:3", "three")).toBe(false);
  expect([...device.stored.keys()]).toEqual(["change:1"]);
  expect(await readEncrypted("change:1")).toBeNull();
});

test("two windows creating keys at once lose no data, and nothing remains after signing out", async () => {
  const { storeEncrypted, readEncrypted } = device.modules;
  const whileWritten = (work: () => void) => {
    device.onWrite = () => {
      device.onWrite = undefined;
      work();
    };
  };
  await storeEncrypted("change:1", "one");
  const other = device.cookies.get("offline_key")!;
  device.cookies.clear();
  whileWritten(() => device.cookies.set("offline_key", other));
  expect(await storeEncrypted("change:2", "two")).toBe(true);
  expect(await readEncrypted("change:2")).toBe("two");
  whileWritten(() => device.cookies.clear());
  expect(await storeEncrypted("change:2", "three")).toBe(false);
  expect([device.cookies.size, [...device.stored.keys()]]).toEqual([0, ["change:1"]]);
});
