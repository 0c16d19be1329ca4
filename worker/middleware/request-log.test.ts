import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { callWith, callerFor, db, testEnv } from "../../testing/client.ts";
import { runSweeps } from "../../testing/drivers.ts";
import { bookingRequest, insertUser, PASSWORD, quoteRequest } from "../../testing/world.ts";

/** Personal data that must not appear in the log, reduced to lower-case letters and digits. */
const SECRETS = [
  "quillfeather",
  "markmail77",
  "wombatgully",
  "491570313",
  "tokenofnobody",
  "naturestripdemo",
];

const CUSTOMER = {
  customerName: "Marta Quillfeather",
  customerPhone: "0491 570 313",
  customerEmail: "zz.markmail77@example.org",
  customerAddress: "99 Wombatgully Street, Leichhardt NSW 2040",
  specificRequests: "Ring 0491-570-313 or write to zz.markmail77@example.org",
};

let lines: string[] = [];

beforeEach(() => {
  lines = [];
  for (const method of ["log", "warn", "error", "info", "debug"] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void lines.push(args.map(String).join(" ")));
});
afterEach(() => vi.restoreAllMocks());

const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const requests = () => parsed().filter(({ event }) => event === "request");

function expectNothingPersonal() {
  const plain = lines
    .join("\n")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\n]/gu, "");
  for (const secret of SECRETS) expect(plain).not.toContain(secret);
}

test("a request leaves one line: method, pattern, status, time, id, and who only by id", async () => {
  const user = await insertUser(db, { username: "quillfeather-gardens", email: "zz.markmail77@example.org" });
  const { cookie } = await callerFor(user.id);
  const path = "/api/leads/lead_inner-west_00000000000000000000/purchase?phone=0491570313";
  const response = await callWith({}, "POST", path, { cookie, body: {} });
  const { requestId } = (await response.json()) as { requestId: string };
  expect(response.headers.get("X-Request-Id")).toBe(requestId);
  const [line, ...others] = requests();
  expect(others).toEqual([]);
  expect(line).toEqual({
    level: "info",
    event: "request",
    requestId,
    method: "POST",
    route: "/api/leads/:id/purchase",
    status: 400,
    ms: expect.any(Number),
    userId: user.id,
  });
  expectNothingPersonal();
});

const postJson = (path: string, body: unknown) => callWith({}, "POST", path, { body });

test("nothing a visitor types reaches the log, whatever they call and however it ends", async () => {
  expect((await postJson("/api/leads", quoteRequest(CUSTOMER))).status).toBe(201);
  expect((await postJson("/api/leads", { ...quoteRequest(CUSTOMER), urgency: "Quillfeather" })).status).toBe(
    400,
  );
  const booking = {
    name: CUSTOMER.customerName,
    phone: CUSTOMER.customerPhone,
    email: CUSTOMER.customerEmail,
  };
  expect((await postJson("/api/bookings", bookingRequest(booking))).status).toBe(201);
  await postJson("/api/auth/login", { username: CUSTOMER.customerEmail, password: PASSWORD });
  await postJson("/api/leads", "Marta Quillfeather, 0491 570 313");
  for (const path of ["/api/Quillfeather/0491570313", "/api/suburbs/Wombatgully?search=0491570313"])
    await callWith({}, "GET", path, {
      cookie: "session=unknown-token",
      headers: { "cf-ray": "quillfeather" },
    });
  expect(requests()).toHaveLength(7);
  expect(requests().map(({ route }) => route)).toContain("(none)");
  for (const { requestId } of parsed()) expect(requestId).toEqual(expect.stringMatching(/./));
  expectNothingPersonal();
});

test("a statement that D1 refuses is logged without its values, under the request's id", async () => {
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON leads BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  const response = await callWith({}, "POST", "/api/leads", { body: quoteRequest(CUSTOMER) });
  await testEnv.DB.exec("DROP TRIGGER broken");
  const { requestId } = (await response.json()) as { requestId: string };
  expect(response.status).toBe(500);
  const report = parsed().find(({ event }) => event === "unhandled");
  expect(report).toMatchObject({ level: "error", requestId, route: "/api/leads" });
  expect(JSON.stringify(report)).toContain("D1 is having a moment");
  expect(requests()).toMatchObject([{ level: "error", status: 500, requestId }]);
  expectNothingPersonal();
});

test("lines of the cron carry an id of their own", async () => {
  await testEnv.DB.exec("ALTER TABLE leads RENAME TO leads_away");
  await runSweeps();
  await testEnv.DB.exec("ALTER TABLE leads_away RENAME TO leads");
  expect(parsed()).toContainEqual(
    expect.objectContaining({ event: "sweep_failed", requestId: expect.stringMatching(/^cron_/) }),
  );
});
