/** Cloudflare Turnstile on visitors' requests: a request that fails the check is stored and quarantined. */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import type { Bindings } from "../../platform/env.ts";
import { leads } from "../../tables.ts";
import { callWith, db } from "../../../testing/client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { leadRow } from "../../../testing/facts.ts";
import { TurnstileStandIn } from "../../../testing/stand-ins/turnstile-stand-in.ts";
import { bookingRequest, quoteRequest } from "../../../testing/world.ts";

const SECRET = "0x4AAAAAAAstandInSecret";
const HOST = "http://turnstile.test";
const turnstile = new TurnstileStandIn(SECRET);
const CHECKED: Partial<Bindings> = {
  TURNSTILE_SITE_KEY: turnstile.siteKey,
  TURNSTILE_SECRET: SECRET,
  TURNSTILE_HOST: HOST,
};

const realFetch = globalThis.fetch.bind(globalThis);
vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init);
  return request.url === `${HOST}/turnstile/v0/siteverify` ? turnstile.fetch(request) : realFetch(request);
});

/** The host and action that siteverify reports for the tests' calls. */
const OURS = { hostname: "naturestrip.test", action: "quote" };

async function send(path: "/api/leads" | "/api/bookings", body: object, vars = CHECKED) {
  const response = await callWith(vars, "POST", path, { body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function submit(token: string | null | undefined, submissionId: string = crypto.randomUUID()) {
  const id = await send("/api/leads", quoteRequest({ turnstileToken: token, submissionId }));
  return leadRow(id);
}

test("a request with a valid token is listed, and Turnstile receives its network", async () => {
  const token = turnstile.issue(OURS);
  const row = await submit(token);
  expect(row).toMatchObject({ listingState: "listed", quarantineReasons: [] });
  expect(JSON.stringify(row)).not.toContain(token);
  expect(turnstile.verifications.at(-1)).toEqual({
    secret: SECRET,
    response: token,
    remoteip: expect.stringMatching(/^2001:db8:/),
    idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test.each<[string, () => string | null | undefined, string]>([
  ["no token, as without JavaScript", () => undefined, "challenge_missing"],
  ["an empty token", () => "", "challenge_missing"],
  ["a made-up token", () => "XXXX.DUMMY.TOKEN.XXXX", "challenge_failed"],
  ["a token that is too long", () => "x".repeat(2049), "challenge_failed"],
  [
    "a token for another site",
    () => turnstile.issue({ ...OURS, hostname: "elsewhere.test" }),
    "challenge_failed",
  ],
  ["a token for the booking form", () => turnstile.issue({ ...OURS, action: "booking" }), "challenge_failed"],
])(
  "a request with %s is quarantined, and its sender gets the usual thank-you page",
  async (_, token, reason) => {
    expect(await submit(token())).toMatchObject({
      listingState: "quarantined",
      quarantineReasons: [reason],
      customerName: "Anna Brown",
    });
  },
);

test("a token works for one request: a retry of that request passes, and any other request fails", async () => {
  const token = turnstile.issue(OURS);
  const submissionId = crypto.randomUUID();
  const first = await submit(token, submissionId);
  const again = await submit(token, submissionId);
  expect(again).toMatchObject({ id: first.id, listingState: "listed" });
  expect((await submit(token)).quarantineReasons).toEqual(["challenge_failed"]);
  const withoutId = await leadRow(await send("/api/leads", quoteRequest({ turnstileToken: token })));
  expect(withoutId.quarantineReasons).toEqual(["challenge_failed"]);
});

test.each(["lost", "broken", "internal"] as const)(
  "a first response that is %s is retried with the same idempotency key",
  async (fault) => {
    turnstile.fail(fault);
    const before = turnstile.verifications.length;
    expect(await submit(turnstile.issue(OURS))).toMatchObject({ listingState: "listed" });
    const [first, second, ...more] = turnstile.verifications.slice(before);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
  },
);

test("a first response that does not arrive in time is retried too", async () => {
  turnstile.fail("silent");
  const timer = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(timer.signal);
  const before = turnstile.verifications.length;
  const row = submit(turnstile.issue(OURS));
  await eventually(() => expect(turnstile.verifications).toHaveLength(before + 1));
  // The visitor is waiting.
  expect(timeout.mock.calls[0]![0]).toBeLessThanOrEqual(2_000);
  timer.abort();
  expect(await row).toMatchObject({ listingState: "listed" });
});

test("while Turnstile is down, requests are quarantined and the log has errors", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  turnstile.fail("lost", "broken");
  const row = await submit(turnstile.issue(OURS));
  expect(row).toMatchObject({ listingState: "quarantined", quarantineReasons: ["challenge_unavailable"] });
  expect(written.mock.calls.flat().join("\n")).toContain("turnstile_unavailable");
  written.mockRestore();
});

test("with a wrong secret, requests are quarantined as unavailable and the log does not contain the secret", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const vars = { ...CHECKED, TURNSTILE_SECRET: "mistyped" };
  const request = quoteRequest({ turnstileToken: turnstile.issue(OURS) });
  const row = await leadRow(await send("/api/leads", request, vars));
  expect(row.quarantineReasons).toEqual(["challenge_unavailable"]);
  expect(JSON.stringify(written.mock.calls)).not.toContain("mistyped");
  written.mockRestore();
});

/** Books garden work with a form's token. @returns the quarantine reasons */
async function reasonsOfBooking(action: string): Promise<string[]> {
  const turnstileToken = turnstile.issue({ ...OURS, action });
  const phone = `02 5550 ${1000 + turnstile.verifications.length}`;
  await send("/api/bookings", bookingRequest({ phone, turnstileToken }));
  const [row] = await db.select().from(leads).where(eq(leads.customerPhone, phone));
  return row!.quarantineReasons;
}

test("a garden booking is checked with its own form's action", async () => {
  expect(await reasonsOfBooking("booking")).toEqual([]);
  expect(await reasonsOfBooking("quote")).toEqual(["challenge_failed"]);
});

test.each<Partial<Bindings>>([
  {},
  { TURNSTILE_SITE_KEY: turnstile.siteKey, TURNSTILE_HOST: HOST },
  { TURNSTILE_SECRET: SECRET, TURNSTILE_HOST: HOST },
])("while Turnstile is off, requests are listed without a token (%o)", async (vars) => {
  const before = turnstile.verifications.length;
  const row = await leadRow(await send("/api/leads", quoteRequest({ turnstileToken: "anything" }), vars));
  expect(row).toMatchObject({ listingState: "listed", quarantineReasons: [] });
  expect(turnstile.verifications).toHaveLength(before);
});
