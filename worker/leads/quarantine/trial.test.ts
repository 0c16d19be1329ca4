/**
 * Sends trials through the public API with every check switched on. Each JSON file in testing/corpus/trials is one
 * trial: a list of `TrialRequest`. Prints how many were listed. The limits come from a set that the rules' author never
 * saw.
 */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { LeadRequestInput } from "../../../contract/leads.ts";
import { callWith, db } from "../../../testing/client.ts";
import { quoteRequest } from "../../../testing/world.ts";
import { api } from "../../api.ts";
import { leads } from "../../platform/db/schema.ts";
import type { Pages } from "../../server.ts";
import { signStart } from "./start-token.ts";

/** One request of a trial. Omitted fields get an ordinary visitor's values. */
type TrialRequest = {
  isForged: boolean;
  /** Label for the report only; not sent. */
  group?: string;
  address: string;
  country?: string;
  networkOwner?: string;
  userAgent?: string;
  language?: string;
  /** Minutes after the previous request in the file. */
  minutesLater?: number;
  /**
   * Seconds spent on the form. Null posts the page's form without a signed start, like a browser without JavaScript.
   */
  tookSeconds?: number | null;
  /** The body of POST /api/leads, or of POST /api/bookings when it has a `suburbId` and no address. */
  request: Partial<LeadRequestInput> & Record<string, unknown>;
};

const KEY = "a long random text for tests";
/** The values in wrangler.toml. Requests are not rate limited, because the trial uses its own clock. */
const AS_DEPLOYED = {
  DUPLICATE_DAYS: "14",
  REQUESTS_PER_ADDRESS: "12",
  FASTEST_FORM_SECONDS: "4",
  SUSPICION_POINTS: "2",
  ORIGIN_HASH_KEY: KEY,
  FORM_PER_ADDRESS: { limit: async () => ({ success: true }) },
};
const BROWSER =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

const trials = import.meta.glob<TrialRequest[]>("../../../testing/corpus/trials/*.json", {
  eager: true,
  import: "default",
});

/** Posts one request of the trial. Returns the quarantine reasons; empty when it was listed. */
async function post(one: TrialRequest, now: number): Promise<string[]> {
  vi.spyOn(Date, "now").mockReturnValue(now);
  const { tookSeconds = 75, request } = one;
  const startToken = tookSeconds === null ? undefined : await signStart(KEY, now - tookSeconds * 1000);
  const isBooking = "suburbId" in request && !("customerAddress" in request);
  const responses = isBooking
    ? request
    : { ...quoteRequest(), customerEmail: null, specificRequests: null, ...request };
  const path = isBooking ? "/api/bookings" : "/api/leads";
  const body = { ...responses, submissionId: crypto.randomUUID(), startToken };
  const headers = {
    "CF-Connecting-IP": one.address,
    "User-Agent": one.userAgent ?? BROWSER,
    "Accept-Language": one.language ?? "en-AU",
  };
  const cf = { country: one.country ?? "AU", asOrganization: one.networkOwner ?? "Telstra" };
  // Without JavaScript, the page's action receives the form and calls the API in-process.
  const page: Pages = {
    render: async (request, env, ctx, caller) => {
      const init = {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      };
      const asked = { ...env, CALLER: { ...caller, viaPage: true } };
      return api.fetch(new Request(new URL(path, request.url), init), asked, ctx);
    },
    routeOf: async () => "/services",
  };
  const form = { body: "", headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" }, cf };
  const response =
    tookSeconds === null
      ? await callWith(AS_DEPLOYED, "POST", "/services", form, page)
      : await callWith(AS_DEPLOYED, "POST", path, { body, headers, cf });
  expect(response.status, await response.clone().text()).toBe(201);
  const [row] = await db.select().from(leads).where(eq(leads.createdAt, now));
  return row!.quarantineReasons;
}

test.each(
  Object.entries(trials).map(([path, requests], i) => [path.split("/").at(-1)!, requests, i] as const),
)(
  "%s: at most 4 of 30 forged requests are listed, and no honest one is quarantined",
  async (name, requests, i) => {
    // Trials must not affect each other.
    let now = Date.UTC(2026, 11, 1) + i * 60 * DAY_MS;
    const listed = { forged: 0, honest: 0 };
    const lines: string[] = [];
    for (const one of requests) {
      now += (one.minutesLater ?? 5) * MINUTE_MS;
      const reasons = await post(one, now);
      if (reasons.length === 0) listed[one.isForged ? "forged" : "honest"] += 1;
      const who = `${one.isForged ? "forged" : "honest"} ${one.group ?? ""} ${one.request.customerName ?? one.request.name}`;
      lines.push(`  ${who}: ${reasons.join(", ") || "listed"}`);
    }
    const forged = requests.filter(({ isForged }) => isForged).length;
    const honest = requests.length - forged;
    console.log(
      `${name}: listed ${listed.forged} of ${forged} forged; set aside ${honest - listed.honest} of ${honest} honest\n${lines.join("\n")}`,
    );
    expect(listed.honest).toBe(honest);
    expect(listed.forged).toBeLessThanOrEqual((4 / 30) * forged);
  },
);
