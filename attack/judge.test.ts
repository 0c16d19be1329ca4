/** Tests that the judge finds every kind of flaw. */
import { expect, test } from "vitest";

import { allowedCpuMs } from "./costs.ts";
import { OBJECT_ROWS } from "./counting.ts";
import { type Finding, Judge, findLeaks, ALLOWED_CHANGES } from "./judge.ts";
import { allRoutes } from "./routes.ts";
import { SMUGGLED, TAG } from "./odd.ts";
import type { AttackResponse } from "./wire.ts";
import { tracesInMessage } from "./outgoing.ts";
import { type CallerKind, LISTED, MARKS, PROVIDER, RIVAL, SECRETS } from "./people.ts";

const SOUND: AttackResponse = {
  status: 200,
  headers: { "content-type": "application/json", "x-content-type-options": "nosniff", "x-request-id": "r" },
  text: "",
  body: "",
  rows: {},
  cpuMs: 1,
};

/** Returns the findings for one response. */
function judgeResponse(
  response: Partial<AttackResponse>,
  endpoint = "GET /api/leads",
  caller: CallerKind = "stranger",
): Finding[] {
  const judge = new Judge();
  const headers = { ...SOUND.headers, ...response.headers };
  const path = endpoint.slice(endpoint.indexOf(" ") + 1);
  const request = { method: "GET", path, headers: {}, body: null };
  judge.inspect(endpoint, caller, request, { ...SOUND, ...response, headers }, "--only=7");
  return judge.findings;
}

const PROBLEM = { "content-type": "application/problem+json" };

test("the judge accepts a valid response and a valid refusal", () => {
  expect(judgeResponse({})).toEqual([]);
  expect(judgeResponse({ status: 403, headers: PROBLEM })).toEqual([]);
  expect(judgeResponse({ status: 404, headers: PROBLEM, rows: { sessions: 1 } })).toEqual([]);
});

test("the judge reports a failure with the command that repeats it, but not a health check that reports a problem", () => {
  expect(judgeResponse({ status: 500, headers: PROBLEM })).toEqual([
    {
      kind: "5xx",
      where: "GET /api/leads as stranger",
      what: expect.stringContaining("500"),
      replay: "--only=7",
    },
  ]);
  const report = { "content-type": "application/json" };
  expect(judgeResponse({ status: 503, headers: report }, "GET /api/health")).toEqual([]);
});

test("the judge reports rows that a refused request changed", () => {
  const [one] = judgeResponse({ status: 409, headers: PROBLEM, rows: { leads: 1, sessions: 1 } });
  expect(one).toMatchObject({ kind: "rows", what: "refused with 409, yet changed leads" });
});

test("a wrong answer to a challenge may count as an attempt, but no other request may; every exception exists", () => {
  const rows = { one_time_secrets: 1 };
  expect(judgeResponse({ status: 403, headers: PROBLEM, rows }, "POST /api/auth/confirm/passkey")).toEqual(
    [],
  );
  expect(judgeResponse({ status: 403, headers: PROBLEM, rows }, "POST /api/auth/login")).toHaveLength(1);
  const buying = "POST /api/create-payment-intent";
  for (const [code, findings] of [
    ["too_many_holds", 0],
    ["lead_taken", 1],
  ] as const) {
    const refused = {
      status: 409,
      headers: PROBLEM,
      body: JSON.stringify({ code }),
      rows: { [OBJECT_ROWS]: 4 },
    };
    expect(judgeResponse(refused, buying), code).toHaveLength(findings);
  }
  const calls = allRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(calls).toEqual(expect.arrayContaining(ALLOWED_CHANGES.flatMap(({ endpoint }) => endpoint ?? [])));
});

test("the judge finds another tenant's details in every spelling, except for callers who may read them", () => {
  for (const text of ["Marta QUILLFEATHER", "0491-571-266", "+61 (491) 571.266", "%22quill-feather%22"]) {
    expect(findLeaks("stranger", text), text).toHaveLength(1);
    expect(findLeaks("admin", text), text).toEqual([]);
  }
  expect(judgeResponse({ text: "sk_test_attackedsecret" }, "GET /api/leads", "admin")).toMatchObject([
    { kind: "leak" },
  ]);
  expect(findLeaks("stranger", "Marta Q., 266")).toEqual([]);
});

test("an ID in the request's own path reveals nothing, but a name in it does", () => {
  const { ref, word } = MARKS.owner;
  const path = `/receipts/${ref}?of=${word}`;
  expect(findLeaks("visitor", `/login?next=/receipts/${ref}`, path)).toEqual([]);
  expect(findLeaks("visitor", `/login?next=/receipts/${ref}`, "/receipts/x")).toHaveLength(1);
  expect(findLeaks("visitor", `Receipt of ${word}`, path)).toHaveLength(1);
});

test("a notification may not contain personal details; an email may contain only its recipient's", () => {
  const [surname] = LISTED;
  expect(tracesInMessage(`New lead from Marta ${surname}`, null)).toHaveLength(1);
  expect(tracesInMessage("Your number 0491 572 549", PROVIDER.email)).toEqual([]);
  expect(tracesInMessage("Your number 0491 572 549", RIVAL.email)).toHaveLength(1);
  expect(tracesInMessage("Your number 0491 572 549", null)).toHaveLength(1);
  const answer = `An answer about ${MARKS.business.word}`;
  expect(tracesInMessage(answer, PROVIDER.email)).toEqual([]);
  for (const other of [RIVAL.email, null]) expect(tracesInMessage(answer, other)).toHaveLength(1);
  expect(tracesInMessage(SECRETS.PUSH_KEYS.split(".")[1]!, PROVIDER.email)).toHaveLength(1);
  expect(tracesInMessage(SECRETS.PUSH_KEYS.split(".")[0]!, null)).toEqual([]);
});

test("the judge reports refusals without a problem document, injected tags and headers, cross-site access and missing headers", () => {
  const html = { "content-type": "text/html; charset=utf-8" };
  for (const [response, words] of [
    [{ status: 404, headers: { "content-type": "text/plain" } }, "404 without a problem document"],
    [{ headers: html, body: `<p>${TAG}` }, "injected tag"],
    [{ headers: { [SMUGGLED]: "1" } }, "injected header"],
    [{ headers: { "access-control-allow-origin": "*" } }, "other sites may read the response"],
    [{ status: 302, headers: { location: "//evil.example/" } }, "redirects to another site"],
    [{ headers: { "x-content-type-options": "" } }, "without nosniff"],
  ] as const) {
    expect(judgeResponse(response), words).toMatchObject([
      { kind: "headers", what: expect.stringContaining(words) },
    ]);
  }
});

test("password hashing has its own CPU limit, only on routes that hash passwords", () => {
  expect(allowedCpuMs("POST /api/leads", 140)).toBe(200);
  expect(allowedCpuMs("POST /login.data", 140)).toBe(340);
  expect(allowedCpuMs("PUT /api/user/password", 140)).toBe(480);
  expect(allowedCpuMs("GET /login", 70), "a quick machine").toBe(200);
  expect(allowedCpuMs("GET /login", 280), "a slow machine").toBe(400);
});

test("pictures have their own CPU limit", () => {
  expect(allowedCpuMs("GET /og/:file.data", 140)).toBe(400);
  expect(allowedCpuMs("GET /og/:file", 280), "a slow machine").toBe(800);
});
