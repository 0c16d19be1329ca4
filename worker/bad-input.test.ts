import { afterEach, expect, test } from "vitest";

import type { Problem } from "../contract/problem.ts";
import { call, callerFor, db, rowCounts } from "../testing/client.ts";
import { API_ROUTES, fillPath, type IdKind, idKindOf, routeOf, UNKNOWN_IDS } from "../testing/routes/api.ts";
import { insertManualPurchase, insertPendingLead, insertUser } from "../testing/world.ts";

const provider = await insertUser(db);
const { cookie } = await callerFor(provider.id);
const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);

const purchaseId = await insertManualPurchase(db, provider, { stage: "accepted_lead", startedAt: 1 });
const lead = await insertPendingLead(db);

/** Rows that exist. Other paths name rows that do not. */
const IDS: Partial<Record<IdKind, string>> = { leads: lead.id, purchases: purchaseId };

const routes = Object.entries(API_ROUTES).flatMap(([route, { gets, body, required = [], wrong = {} }]) => {
  if (!body) return [];
  const [method = ""] = route.split(" ");
  const kind = idKindOf(route);
  const id =
    kind === "users" && route.includes("super-admin") ? provider.id : (IDS[kind] ?? UNKNOWN_IDS[kind]);
  return [{ route, method, path: fillPath(route, id), isForAdmins: gets[2] === 403, body, required, wrong }];
});

const adminPaths = new Set(routes.filter(({ isForAdmins }) => isForAdmins).map(({ path }) => path));

/** Returns the session cookie of a user who may call this route. */
const cookieFor = (path: string) => (adminPaths.has(path) ? asAdmin.cookie : cookie);

/** The row counts at the start. Tests in this file must not change them. */
const untouched = await rowCounts();

test("there is something that could be changed", () => {
  expect(untouched.leads).toBeGreaterThan(0);
  expect(untouched.sessions).toBeGreaterThan(0);
});

/** Sends a request that must be rejected, and returns the problem response. */
async function refused(
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> },
): Promise<Problem> {
  const response = await call(method, path, { cookie: cookieFor(path), ...options });
  const problem = (await response.json()) as Problem;
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  expect(problem).toMatchObject({
    status: response.status,
    title: expect.any(String),
    detail: expect.any(String),
    requestId: expect.stringMatching(/./),
  });
  return problem;
}

/** Tries each route, and checks after each that nothing was written. */
async function everyRoute(refuse: (route: (typeof routes)[number]) => Promise<void>): Promise<void> {
  for (const route of routes) {
    await refuse(route);
    await expectNothingWritten(route.route);
  }
}

async function expectNothingWritten(route = "any"): Promise<void> {
  expect(await rowCounts(), route).toEqual(untouched);
}

afterEach(() => expectNothingWritten());

/** All routes share one parser. One route gets every variant of a fault, and every other route gets one. */
const someOf = <Fault>(route: string, faults: readonly Fault[]): readonly Fault[] =>
  route === "PUT /api/user/watched-regions" ? faults : faults.slice(0, 1);

test("every body is refused unless it is declared as JSON", async () => {
  const types = ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"];
  await everyRoute(async ({ route, method, path, body }) => {
    for (const type of someOf(route, types)) {
      const problem = await refused(method, path, {
        body: JSON.stringify(body()),
        headers: { "Content-Type": type },
      });
      expect(problem, path).toMatchObject({ status: 415, code: "unsupported_media_type" });
    }
  });
});

test("every body has to be well-formed JSON", async () => {
  await everyRoute(async ({ route, method, path }) => {
    for (const body of someOf(route, ["{", "", '{"a":1,}', "undefined", "\u0000"])) {
      expect(await refused(method, path, { body }), path).toMatchObject({
        status: 400,
        code: "malformed_json",
      });
    }
  });
});

test("JSON that is no object is refused", async () => {
  await everyRoute(async ({ route, method, path }) => {
    for (const body of someOf(route, ["null", "[]", "7", '"text"'])) {
      expect(await refused(method, path, { body }), path).toMatchObject({
        status: 400,
        code: "invalid_input",
        errors: { "": expect.any(String) },
      });
    }
  });
});

/** The largest JSON body that the API reads. */
const MAX_BODY_BYTES = 64 * 1024;

test("a body over the limit is refused, whether or not it says its length", async () => {
  const text = JSON.stringify({ filler: "x".repeat(MAX_BODY_BYTES) });
  const streamed = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = new TextEncoder().encode(text);
        for (let at = 0; at < bytes.length; at += 8192) controller.enqueue(bytes.slice(at, at + 8192));
        controller.close();
      },
    });
  await everyRoute(async ({ route, method, path }) => {
    for (const body of someOf(route, [() => text, streamed])) {
      expect(await refused(method, path, { body: body() }), path).toMatchObject({
        status: 413,
        code: "payload_too_large",
      });
    }
  });
});

test("a body of just the limit is read", async () => {
  const filler = "x".repeat(MAX_BODY_BYTES - JSON.stringify({ regions: ["inner-west"], filler: "" }).length);
  const response = await call("PUT", "/api/user/watched-regions", {
    cookie,
    body: { regions: ["inner-west"], filler },
  });
  expect(response.status).toBe(200);
});

test("each required field is named when it is missing", async () => {
  await everyRoute(async ({ method, path, body, required }) => {
    for (const field of required) {
      for (const value of [undefined, null]) {
        const problem = await refused(method, path, { body: { ...body(), [field]: value } });
        expect(problem, `${path} without ${field}`).toMatchObject({ status: 400, code: "invalid_input" });
        expect(Object.keys(problem.errors!), `${path} without ${field}`).toEqual([field]);
      }
    }
  });
});

test("each field is named when it is wrong", async () => {
  await everyRoute(async ({ method, path, body, wrong }) => {
    for (const [field, value] of Object.entries(wrong)) {
      for (const bad of [value, { odd: true }]) {
        const problem = await refused(method, path, { body: { ...body(), [field]: bad } });
        expect(problem, `${path} ${field}`).toMatchObject({ status: 400, code: "invalid_input" });
        const named = Object.keys(problem.errors!).map((key) => key.split(".")[0]);
        expect([...new Set(named)], `${path} ${field}`).toEqual([field]);
        expect(problem.detail).toBe(Object.values(problem.errors!)[0]);
      }
    }
  });
});

test("an object that stands for a text and brings its own length is refused as any other", async () => {
  await everyRoute(async ({ method, path, wrong }) => {
    const fields = Object.keys(wrong);
    for (const odd of [{ length: { toString: 1 } }, { length: [{ valueOf: 1 }] }]) {
      const body = Object.fromEntries(fields.map((field) => [field, odd]));
      const problem = await refused(method, path, { body });
      expect(problem, path).toMatchObject({ status: 400, code: "invalid_input" });
      const named = Object.keys(problem.errors!).map((key) => key.split(".")[0]);
      expect(named, path).toEqual(expect.arrayContaining(fields));
    }
  });
});

test("every required field of a body can be seen to be wrong", () => {
  for (const { route, required, wrong } of routes) {
    expect(
      required.filter((field) => !(field in wrong)),
      route,
    ).toEqual([]);
  }
});

test("all wrong fields are named at once", async () => {
  const problem = await refused("POST", "/api/leads", { body: {} });
  expect(Object.keys(problem.errors!).toSorted()).toEqual(routeOf("POST /api/leads").required!.toSorted());
});

test("a call that does not exist is a 404 problem", async () => {
  for (const path of ["/api/nothing", "/api/leads/lead_x/extras", "/api/"]) {
    expect(await refused("GET", path, {})).toMatchObject({ status: 404, code: "not_found" });
  }
  expect(await refused("POST", "/api/suburbs", { body: {} })).toMatchObject({ status: 404 });
});

test("an address that cannot be decoded is no error of ours", async () => {
  for (const path of ["/api/suburbs/%E0%A4%A", "/api/suburbs/%00", "/api/suburbs/%2e%2e%2f"]) {
    expect(await refused("GET", path, {})).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("another site's page cannot change anything", async () => {
  const foreign = [
    "https://evil.example",
    "null",
    "http://naturestrip.test.evil.example",
    "http://naturestrip.test:8080",
    "https://naturestrip.test",
  ];
  await everyRoute(async ({ route, method, path, body }) => {
    for (const Origin of someOf(route, foreign)) {
      expect(await refused(method, path, { body: body(), headers: { Origin } }), path).toMatchObject({
        status: 403,
        code: "foreign_origin",
      });
    }
  });
  expect(
    await refused("POST", "/api/auth/logout", { headers: { Origin: "https://evil.example" } }),
  ).toMatchObject({ status: 403 });
  // Still signed in.
  expect((await call("GET", "/api/auth/me", { cookie })).status).toBe(200);
});

test("a socket is not opened for another site's page", async () => {
  for (const origin of [
    "https://evil.example",
    "https://naturestrip.test",
    "null",
    "not a url",
    // These parse to our host, but browsers never send an origin in this form.
    "http://evil.example@naturestrip.test",
    "http://naturestrip.test/",
  ]) {
    const headers = { Upgrade: "websocket", Origin: origin };
    for (const path of ["/api/exchange/inner-west/live", "/api/business/live"]) {
      expect(await refused("GET", path, { headers })).toMatchObject({ status: 403, code: "foreign_origin" });
    }
  }
});
