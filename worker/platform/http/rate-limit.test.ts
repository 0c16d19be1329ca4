import { expect, test } from "vitest";

import { API_ROUTES, bodyFor } from "../../../testing/routes/api.ts";
import type { Bindings } from "../env.ts";
import { call, callerFor, callWith, db, rowCounts, testEnv } from "../../../testing/client.ts";
import { retryIfMinuteChanges } from "../../../testing/clock.ts";
import { insertUser, PASSWORD } from "../../../testing/world.ts";
import { MORE_FOR_48, MORE_FOR_56, networkPrefixes } from "../network.ts";
import { countNetworkAttempt } from "./rate-limit.ts";

let networks = 0;

/** The limits in wrangler.toml. */
const LIMIT_OF = {
  LOGIN_PER_ADDRESS: 60,
  SIGNUP_PER_ADDRESS: 20,
  PHOTO_PER_ADDRESS: 20,
} as Record<string, number>;
const limitOf = (name: string) => LIMIT_OF[name] ?? 30;

/** Makes `tries` attempts from one address in a new network. Returns the headers of another address in that network. */
async function networkAfter(limit: RateLimit, tries: number): Promise<Record<string, string>> {
  networks += 1;
  const network = `2001:db8:ffff:${networks.toString(16)}`;
  for (let i = 0; i < tries; i++) {
    expect(await limit.limit({ key: networkPrefixes(`${network}::${i.toString(16)}`).by64 })).toEqual({
      success: true,
    });
  }
  return { "CF-Connecting-IP": `${network}:aaaa:bbbb:cccc:dddd` };
}

async function expectTooMany(response: Response, route?: string): Promise<void> {
  expect(response.status, route).toBe(429);
  expect(await response.json()).toMatchObject({ code: "too_many_requests", status: 429 });
  expect(response.headers.get("Retry-After")).toBe("60");
  expect(response.headers.getSetCookie()).toEqual([]);
}

test("the eleventh attempt at the current password within a minute is refused on a password change", async () => {
  await retryIfMinuteChanges(async () => {
    const as = await callerFor((await insertUser(db)).id);
    const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
    const change = () => as("PUT", "/api/user/password", { currentPassword: "a wrong one", ...chosen });
    for (let i = 0; i < 10; i++) expect((await change()).status).toBe(400);
    await expectTooMany(await change());
  });
});

test("sixty users can sign in from one IP address in a minute, and the next must wait", async () => {
  await retryIfMinuteChanges(async () => {
    const headers = await networkAfter(testEnv.LOGIN_PER_ADDRESS, 59);
    const { username } = await insertUser(db);
    const signIn = () => call("POST", "/api/auth/login", { headers, body: { username, password: PASSWORD } });
    expect((await signIn()).status).toBe(200);
    await expectTooMany(await signIn());
  });
});

test("the 21st sign-up from one IP address must wait", async () => {
  await retryIfMinuteChanges(async () => {
    const headers = await networkAfter(testEnv.SIGNUP_PER_ADDRESS, 19);
    const route = "POST /api/auth/provider/signup";
    const signUp = () => call("POST", route.slice(5), { headers, body: bodyFor(route) });
    expect((await signUp()).status).toBe(200);
    const before = await rowCounts();
    await expectTooMany(await signUp());
    expect(await rowCounts()).toEqual(before);
  });
});

test("a super admin can create any number of accounts", async () => {
  await retryIfMinuteChanges(async () => {
    const headers = await networkAfter(testEnv.SIGNUP_PER_ADDRESS, 20);
    const { cookie } = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
    const body = { ...bodyFor("POST /api/auth/provider/signup"), email: "many@example.com" };
    expect((await call("POST", "/api/auth/provider/signup", { headers, cookie, body })).status).toBe(201);
  });
});

test("the 31st quote request from one IP address must wait and stores nothing", async () => {
  await retryIfMinuteChanges(async () => {
    const headers = await networkAfter(testEnv.FORM_PER_ADDRESS, 29);
    const ask = () => call("POST", "/api/leads", { headers, body: bodyFor("POST /api/leads") });
    expect((await ask()).status).toBe(201);
    const before = await rowCounts();
    await expectTooMany(await ask());
    expect(await rowCounts()).toEqual(before);
  });
});

/** All calls with a rate limit by network, and the limit. */
const LIMITED: Readonly<Record<string, [limit: keyof typeof testEnv, path: string]>> = {
  "POST /api/auth/login": ["LOGIN_PER_ADDRESS", "/api/auth/login"],
  "POST /api/auth/forgot-password": ["LOGIN_PER_ADDRESS", "/api/auth/forgot-password"],
  "POST /api/auth/reset-password": ["LOGIN_PER_ADDRESS", "/api/auth/reset-password"],
  "POST /api/auth/confirm-email": ["LOGIN_PER_ADDRESS", "/api/auth/confirm-email"],
  "GET /api/auth/email-link": ["LOGIN_PER_ADDRESS", `/api/auth/email-link?token=${"t".repeat(43)}`],
  "GET /api/auth/password-link": ["LOGIN_PER_ADDRESS", `/api/auth/password-link?token=${"t".repeat(43)}`],
  "POST /api/auth/provider/signup": ["SIGNUP_PER_ADDRESS", "/api/auth/provider/signup"],
  "POST /api/auth/customer/signup": ["SIGNUP_PER_ADDRESS", "/api/auth/customer/signup"],
  "POST /api/leads": ["FORM_PER_ADDRESS", "/api/leads"],
  "POST /api/bookings": ["FORM_PER_ADDRESS", "/api/bookings"],
  "POST /api/requests/withdraw": ["FORM_PER_ADDRESS", "/api/requests/withdraw"],
  "POST /api/requests/call-answer": ["FORM_PER_ADDRESS", "/api/requests/call-answer"],
  "POST /api/requests/guarantee": ["FORM_PER_ADDRESS", "/api/requests/guarantee"],
  "POST /api/requests/contact": ["FORM_PER_ADDRESS", "/api/requests/contact"],
  "POST /api/requests/change": ["FORM_PER_ADDRESS", "/api/requests/change"],
  "POST /api/requests/phone": ["FORM_PER_ADDRESS", "/api/requests/phone"],
  "POST /api/requests/erase": ["FORM_PER_ADDRESS", "/api/requests/erase"],
  "POST /api/photos": ["PHOTO_PER_ADDRESS", "/api/photos"],
  "POST /api/photos/:id/removal": ["PHOTO_PER_ADDRESS", "/api/photos/pho_00000000000000000000/removal"],
  "POST /api/photos/:id/agreement": ["PHOTO_PER_ADDRESS", "/api/photos/pho_00000000000000000000/agreement"],
  "POST /api/reviews": ["FORM_PER_ADDRESS", "/api/reviews"],
  "POST /api/my-requests/links": ["LOGIN_PER_ADDRESS", "/api/my-requests/links"],
  "POST /api/my-requests/open": ["LOGIN_PER_ADDRESS", "/api/my-requests/open"],
  "POST /api/my-requests/request-links": ["FORM_PER_ADDRESS", "/api/my-requests/request-links"],
  "POST /api/email-stops": ["FORM_PER_ADDRESS", "/api/email-stops"],
  "GET /api/health": ["HEALTH_PER_ADDRESS", "/api/health"],
};

const MAIL = { EMAIL: { send: async () => ({ messageId: "1" }) }, EMAIL_FROM: "hello@example.com" };

const LIMITS = [...new Set(Object.values(LIMITED).map(([name]) => name))];

/** Returns the routes with this limit, each with a function that calls it from an address. */
function routesOf(name: keyof typeof testEnv) {
  return Object.entries(LIMITED)
    .filter(([, [limit]]) => limit === name)
    .map(([route, [, path]]) => {
      const [method = ""] = route.split(" ");
      const ask = (address: string) =>
        callWith(MAIL as unknown as Partial<Bindings>, method, path, {
          headers: { "CF-Connecting-IP": address },
          body: API_ROUTES[route]?.body?.(),
        });
      return { route, ask };
    });
}

/** Returns the first half of a /48 that no test has used. */
const freshNetwork = (start: string) => `2001:${start}:${(0xe000 + (networks += 1)).toString(16)}`;

/** Uses up all counters of a wide network. */
async function useUp(name: keyof typeof testEnv, network: string, counters: number): Promise<void> {
  for (let i = 0; i < counters * limitOf(name); i++)
    await (testEnv[name] as RateLimit).limit({ key: `${network} ${i % counters}` });
}

test.each(LIMITS)("%s counts a household, and a whole /48, as one on each of its routes", async (name) => {
  const limit = testEnv[name] as RateLimit;
  const most = limitOf(name);
  await retryIfMinuteChanges(async () => {
    const spent = (await networkAfter(limit, most))["CF-Connecting-IP"]!;
    const mapped = `::ffff:198.51.100.${(networks += 1)}`;
    for (let i = 0; i < most; i++) await limit.limit({ key: networkPrefixes(mapped.slice(7)).by64 });
    const whole = freshNetwork("db8");
    await useUp(name, networkPrefixes(`${whole}::1`).by48, MORE_FOR_48);
    for (const { route, ask } of routesOf(name)) {
      for (const address of [spent, mapped, `${whole}:ffff::1`])
        await expectTooMany(await ask(address), `${route} ${address}`);
      const neighbour = `2001:db8:fffe:${(networks += 1).toString(16)}::1`;
      expect((await ask(neighbour)).status, route).not.toBe(429);
    }
  });
});

const askHealth = (address: string) =>
  call("GET", "/api/health", { headers: { "CF-Connecting-IP": address } });

test("the /64s of a /56 count together, and leave other networks open", async () => {
  await retryIfMinuteChanges(async () => {
    const half = freshNetwork("db8");
    await useUp("HEALTH_PER_ADDRESS", networkPrefixes(`${half}:1ff::1`).by56, MORE_FOR_56);
    await expectTooMany(await askHealth(`${half}:1ff::1`));
    expect((await askHealth(`${half}:2ff::1`)).status, "another /56 of the same /48").not.toBe(429);
    expect((await askHealth(`${freshNetwork("db9")}:ffff::1`)).status, "another /48").not.toBe(429);
  });
});

test("one /64 at its limit leaves its /56 and its /48 open", async () => {
  const limit = testEnv.HEALTH_PER_ADDRESS;
  await retryIfMinuteChanges(async () => {
    const spent = networkPrefixes("2001:db8:d000:101::1");
    for (let i = 0; i < 30; i++) await countNetworkAttempt(limit, spent);
    await expect(countNetworkAttempt(limit, spent)).rejects.toThrow("Too many attempts");
    await countNetworkAttempt(limit, networkPrefixes("2001:db8:d000:102::1"));
    await countNetworkAttempt(limit, networkPrefixes("2001:db8:d000:201::1"));
  });
});

test("other isolates' counts apply from a business's eleventh attempt in this isolate", async () => {
  await retryIfMinuteChanges(async () => {
    const pat = await insertUser(db);
    const as = await callerFor(pat.id);
    for (let i = 0; i < 10; i++)
      expect(await testEnv.PAYMENT_PER_BUSINESS.limit({ key: pat.id })).toEqual({ success: true });
    const body = { leadId: "lead_inner-west_00000000000000000000", amount: 5000 };
    for (let i = 0; i < 10; i++)
      expect((await as("POST", "/api/create-payment-intent", body)).status).toBe(404);
    await expectTooMany(await as("POST", "/api/create-payment-intent", body));
  });
});

test("a business that opens payments like a script is stopped after twenty attempts", async () => {
  await retryIfMinuteChanges(async () => {
    const pat = await insertUser(db);
    const as = await callerFor(pat.id);
    const body = { leadId: "lead_inner-west_00000000000000000000", amount: 5000 };
    const claim = (by: typeof as) => by("POST", "/api/create-payment-intent", body);
    for (let i = 0; i < 20; i++) expect((await claim(as)).status).toBe(404);
    await expectTooMany(await claim(as));
    await expectTooMany(await claim(as));
    // Another business has its own limit.
    const other = await callerFor((await insertUser(db)).id);
    expect((await claim(other)).status).toBe(404);
  });
});
