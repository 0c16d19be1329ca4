import { isStandInUrl } from "../platform/network.ts";
import { readPushKeys } from "../platform/keys.ts";
import { expect, test } from "vitest";

import { planFor, shuffle } from "../leads/alerts/rules.ts";
import { endOfQuiet, endOfPauseOrQuiet } from "../outbox/rules.ts";
import { pushAddress } from "./push.ts";
import { parseRetryAfter, retryAfter } from "./sender.ts";

const NIGHT = { isOn: true, startsAt: "20:00", endsAt: "07:00" };
const OFF = { ...NIGHT, isOn: false };
const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => time && new Date(time).toISOString();

test.each([
  ["before it begins", "2026-11-22T08:59:59Z", null],
  ["as it begins", "2026-11-22T09:00:00Z", "2026-11-22T20:00:00.000Z"],
  ["before midnight", "2026-11-22T12:59:59Z", "2026-11-22T20:00:00.000Z"],
  ["after midnight", "2026-11-22T15:00:00Z", "2026-11-22T20:00:00.000Z"],
  ["a second before its end", "2026-11-22T19:59:59Z", "2026-11-22T20:00:00.000Z"],
  ["at its end", "2026-11-22T20:00:00Z", null],
  ["on the night that loses an hour", "2026-10-03T12:00:00Z", "2026-10-03T20:00:00.000Z"],
  ["on the night that gains an hour", "2026-04-04T12:00:00Z", "2026-04-04T21:00:00.000Z"],
])("quiet hours from 20:00 to 07:00 in Sydney, %s", (_, now, end) => {
  expect(iso(endOfQuiet(at(now), NIGHT))).toBe(end);
});

test("quiet hours can be within one day, or off", () => {
  const noon = { isOn: true, startsAt: "12:00", endsAt: "13:30" };
  expect(iso(endOfQuiet(at("2026-11-22T01:15:00Z"), noon))).toBe("2026-11-22T02:30:00.000Z");
  expect(endOfQuiet(at("2026-11-22T02:30:00Z"), noon)).toBeNull();
  expect(endOfQuiet(at("2026-11-22T12:00:00Z"), OFF)).toBeNull();
});

test.each([
  ["02:00", "2026-10-03T22:00+10:00"],
  ["02:30", "2026-10-03T22:00+10:00"],
  ["02:30", "2026-10-04T01:45+10:00"],
  ["02:59", "2026-10-04T01:59+10:00"],
])("quiet hours that end in the missing hour, at %s, end at 3:00", (endsAt, now) => {
  const end = endOfQuiet(at(now), { isOn: true, startsAt: "22:00", endsAt });
  expect(iso(end)).toBe(iso(at("2026-10-04T03:00+11:00")));
});

test("a device gets a first alert at once, and later ones in a digest within a minute or after quiet hours", () => {
  const now = at("2026-11-22T01:00:00Z");
  const lead = { leadId: "lead_x", generation: 1 };
  const plan = (lastAlertAt: number | null, quietHours = OFF, when = now) =>
    planFor({ id: "psh_a", quietHours, lastAlertAt, pausedUntil: null }, lead, when);
  expect(plan(null)).toMatchObject({ template: "new_lead", due: now });
  expect(plan(now - 60_000)).toMatchObject({ template: "new_lead", due: now });
  const soon = { template: "lead_digest", due: now + 1, key: `lead_digest:psh_a:${now + 1}` };
  expect(plan(now - 59_999)).toMatchObject(soon);
  const night = at("2026-11-22T12:00:00Z");
  expect(plan(null, NIGHT, night).key).toBe(plan(night - 5, NIGHT, night + 1_000).key);
});

test.each([
  [
    "a pause that ends at midnight, inside quiet hours",
    "2026-11-22T01:00:00Z",
    "2026-11-22T13:00:00Z",
    NIGHT,
    "2026-11-22T20:00:00.000Z",
  ],
  [
    "a pause of a fortnight, set at night",
    "2026-11-22T12:00:00Z",
    "2026-12-06T13:00:00Z",
    NIGHT,
    "2026-12-06T20:00:00.000Z",
  ],
  [
    "a pause with no quiet hours",
    "2026-11-22T12:00:00Z",
    "2026-12-06T13:00:00Z",
    OFF,
    "2026-12-06T13:00:00.000Z",
  ],
  ["an expired pause, by day", "2026-11-22T01:00:00Z", "2026-11-21T13:00:00Z", NIGHT, null],
  [
    "an expired pause, by night",
    "2026-11-22T13:00:00Z",
    "2026-11-22T13:00:00Z",
    NIGHT,
    "2026-11-22T20:00:00.000Z",
  ],
])("%s", (_, now, until, hours, end) => {
  expect(iso(endOfPauseOrQuiet(at(now), hours, at(until)))).toBe(end);
  const device = { id: "psh_a", quietHours: hours, lastAlertAt: null, pausedUntil: at(until) };
  const plan = planFor(device, { leadId: "lead_x", generation: 1 }, at(now));
  const due = end === null ? at(now) : at(end);
  expect(plan).toMatchObject({ template: end === null ? "new_lead" : "lead_digest", due });
});

test("shuffling keeps all items, and each is first about equally often", () => {
  const first = [0, 0, 0, 0];
  for (let i = 0; i < 4_000; i++) {
    const order = shuffle([0, 1, 2, 3]);
    expect(order.toSorted()).toEqual([0, 1, 2, 3]);
    first[order[0]!]! += 1;
  }
  for (const times of first) expect(Math.abs(times - 1_000)).toBeLessThan(200);
});

test("only known push services are called, and the stand-in only if it is configured", () => {
  for (const known of [
    "https://fcm.googleapis.com/fcm/send/a:b",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://wns2-sg2p.notify.windows.com/w/?token=x",
    "https://web.push.apple.com/Qx",
  ])
    expect(pushAddress(known, null)?.href).toBe(known);
  for (const other of [
    "https://169.254.169.254/latest/meta-data",
    "https://fcm.googleapis.com.evil.example/x",
    "https://fcm.googleapis.com:8443/x",
    "https://user:secret@fcm.googleapis.com/x",
    "https://evil.example/fcm.googleapis.com",
    "http://fcm.googleapis.com/x",
    "https://localhost/x",
  ])
    expect(pushAddress(other, null), other).toBeNull();
  const standIn = "https://push.naturestrip.test/a";
  expect(pushAddress(standIn, null)).toBeNull();
  expect(pushAddress(standIn, "http://127.0.0.1:9000")?.href).toBe("http://127.0.0.1:9000/a");
  for (const path of ["//elsewhere.example/a", "//127.0.0.1:8787/api/user", "/\\\\elsewhere.example/a"]) {
    const asked = pushAddress(`https://push.naturestrip.test${path}`, "http://127.0.0.1:9000");
    expect(asked?.host, path).toBe("127.0.0.1:9000");
  }
  for (const url of ["https://example.com", "http://10.0.0.1", "x"]) expect(isStandInUrl(url)).toBe(false);
});

test("the backoff grows up to a maximum, and a Retry-After delay is limited", () => {
  expect([1, 2, 3, 20].map((attempts) => retryAfter(attempts, 0.5))).toEqual([
    15_000, 30_000, 60_000, 300_000,
  ]);
  const now = at("2026-11-22T01:00:00Z");
  expect(parseRetryAfter("120", now)).toBe(120_000);
  expect(parseRetryAfter("Sun, 22 Nov 2026 01:02:00 GMT", now)).toBe(120_000);
  expect(parseRetryAfter("0", now)).toBe(10_000);
  expect(parseRetryAfter("999999999", now)).toBe(3_600_000);
  for (const nothing of [null, "", "soon"]) expect(parseRetryAfter(nothing, now)).toBeNull();
});

test("keys are a pair or invalid", () => {
  expect(readPushKeys(`B${"a".repeat(86)}.${"b".repeat(43)}`)).not.toBeNull();
  for (const text of ["", "a.b", `B${"a".repeat(86)}`, `A${"a".repeat(86)}.${"b".repeat(43)}`])
    expect(readPushKeys(text)).toBeNull();
});
