import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { users } from "../db/schema.ts";
import { BODY_ROUTES } from "../testing/bodies.ts";
import { call, callerFor, db, rowCounts, testEnv } from "../testing/client.ts";
import { insertUser, PASSWORD } from "../testing/world.ts";

const WINDOW_MS = 60_000;

const windowNow = () => Math.floor(Date.now() / WINDOW_MS);

const login = (username: string, password: string) =>
  call("POST", "/api/auth/login", { body: { username, password } });

/** Limits count by the minute: a test that a new minute began in is run once more. */
async function withinOneWindow(run: () => Promise<void>): Promise<void> {
  const started = windowNow();
  try {
    await run();
  } catch (error) {
    if (windowNow() === started) throw error;
    await run();
  }
}

let addresses = 0;

/** An address that has already made `tries` tries. */
async function addressAfter(limit: RateLimit, tries: number): Promise<Record<string, string>> {
  addresses += 1;
  const key = `2001:db8:ffff::${addresses.toString(16)}`;
  for (let i = 0; i < tries; i++) expect(await limit.limit({ key })).toEqual({ success: true });
  return { "CF-Connecting-IP": key };
}

async function expectTooMany(response: Response): Promise<void> {
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ code: "too_many_requests", status: 429 });
  expect(response.headers.getSetCookie()).toEqual([]);
}

test("the eleventh try on one account within a minute is refused, from wherever and however it is written", async () => {
  await withinOneWindow(async () => {
    const { username } = await insertUser(db);
    const email = `${username}@example.com`;
    await db.update(users).set({ email }).where(eq(users.username, username));
    const spellings = [username, username.toUpperCase(), email];
    const tries = Array.from({ length: 10 }, (_, i) => login(spellings[i % 3]!, "wrong-password"));
    for (const response of await Promise.all(tries)) expect(response.status).toBe(401);
    await expectTooMany(await login(username, PASSWORD));
    await expectTooMany(await login(username, "wrong-password"));
    // Everybody else signs in as before.
    expect((await login((await insertUser(db)).username, PASSWORD)).status).toBe(200);
  });
});

test("sixty people sign in from one address, the next has to wait", async () => {
  await withinOneWindow(async () => {
    const headers = await addressAfter(testEnv.LOGIN_PER_ADDRESS, 59);
    const { username } = await insertUser(db);
    const signIn = () => call("POST", "/api/auth/login", { headers, body: { username, password: PASSWORD } });
    expect((await signIn()).status).toBe(200);
    await expectTooMany(await signIn());
  });
});

test.each(["provider", "customer"])("the 21st sign-up of a %s from one address has to wait", async (kind) => {
  await withinOneWindow(async () => {
    const headers = await addressAfter(testEnv.SIGNUP_PER_ADDRESS, 19);
    const route = `POST /api/auth/${kind}/signup`;
    const signUp = () => call("POST", route.slice(5), { headers, body: BODY_ROUTES[route]!.body() });
    expect((await signUp()).status).toBe(200);
    const before = await rowCounts();
    await expectTooMany(await signUp());
    expect(await rowCounts()).toEqual(before);
  });
});

test("a super admin makes as many accounts as it takes", async () => {
  await withinOneWindow(async () => {
    const headers = await addressAfter(testEnv.SIGNUP_PER_ADDRESS, 20);
    const { cookie } = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
    const body = { ...BODY_ROUTES["POST /api/auth/provider/signup"]!.body(), email: "many@example.com" };
    expect((await call("POST", "/api/auth/provider/signup", { headers, cookie, body })).status).toBe(201);
  });
});

test("the 31st request for a quote from one address has to wait and stores nothing", async () => {
  await withinOneWindow(async () => {
    const headers = await addressAfter(testEnv.FORM_PER_ADDRESS, 29);
    const ask = () => call("POST", "/api/leads", { headers, body: BODY_ROUTES["POST /api/leads"]!.body() });
    expect((await ask()).status).toBe(201);
    const before = await rowCounts();
    await expectTooMany(await ask());
    expect(await rowCounts()).toEqual(before);
  });
});

test("what other isolates counted of a business counts from its eleventh try here", async () => {
  await withinOneWindow(async () => {
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

test("a business that opens payments like a script is stopped after twenty tries", async () => {
  await withinOneWindow(async () => {
    const pat = await insertUser(db);
    const as = await callerFor(pat.id);
    const body = { leadId: "lead_inner-west_00000000000000000000", amount: 5000 };
    const claim = (by: typeof as) => by("POST", "/api/create-payment-intent", body);
    for (let i = 0; i < 20; i++) expect((await claim(as)).status).toBe(404);
    await expectTooMany(await claim(as));
    await expectTooMany(await claim(as));
    // Another business is not counted with it.
    const other = await callerFor((await insertUser(db)).id);
    expect((await claim(other)).status).toBe(404);
  });
});
