/** Checks what must hold for every response, whatever the request. */
import { OBJECT_ROWS } from "./counting.ts";
import { SMUGGLED, TAG } from "./odd.ts";
import type { Answer, Shot } from "./wire.ts";
import { type CallerKind, PLANTED } from "./people.ts";
import { wrongAccess } from "./rights.ts";
import { traceFinder } from "./traces.ts";

export type Kind =
  | "5xx"
  | "rows"
  | "leak"
  | "access"
  | "tenant"
  | "headers"
  | "cost"
  | "log"
  | "storage"
  | "no answer";

export type Finding = {
  kind: Kind;
  /** The request, such as `POST /api/leads`, and its caller. */
  where: string;
  what: string;
  /** The command-line arguments that repeat the request. */
  replay?: string;
};

/** Expected 5xx responses. */
const BY_DESIGN: readonly { goal: string; status: number }[] = [
  // It reports that a queue has been waiting too long.
  { goal: "GET /api/health", status: 503 },
];

/** Rows that a refused request may change, with the reason. */
export const MAY_CHANGE: readonly {
  table: string;
  goal?: string;
  codes?: string[];
  caller?: CallerKind;
  why: string;
}[] = [
  {
    table: "audit_log",
    caller: "impersonating",
    why: "each call by an impersonating admin is logged before the response",
  },
  { table: "sign_in_failures", why: "failures are counted, to slow down guessing" },
  { table: "sessions", why: "the first call of a day extends the session" },
  {
    table: "claim_credits",
    goal: "POST /api/leads/:id/claim-with-credit",
    why: "a credit is reserved before the call to the exchange, and returned after a refusal",
  },
  ...["POST /api/exchange/holds", "POST /api/create-payment-intent"].map((goal) => ({
    table: OBJECT_ROWS,
    goal,
    codes: ["too_many_holds", "newcomer_limit", "key_reused"],
    why: "the exchange holds the lead before the check of the ledger, and releases it after a refusal",
  })),
  ...[
    "POST /api/passkeys",
    "POST /api/auth/passkey",
    "POST /api/auth/second-factor",
    "POST /api/auth/recovery-code",
    "POST /api/auth/confirm/passkey",
  ].map((goal) => ({
    table: "challenges",
    goal,
    why: "an attempt counts before its answer is checked, so that it cannot be made twice",
  })),
];

function mayChange(goal: string, caller: CallerKind, code: string, table: string): boolean {
  return MAY_CHANGE.some(
    (one) =>
      one.table === table &&
      (one.goal ?? goal) === goal &&
      (one.caller ?? caller) === caller &&
      (one.codes?.includes(code) ?? true),
  );
}

/** Returns a response's error code, or "" if it has none. */
export function codeOf({ body }: Pick<Answer, "body">): string {
  return /"code":"([a-z_]+)"/.exec(body)?.[1] ?? "";
}

export class Judge {
  readonly findings: Finding[] = [];
  readonly statuses = new Map<string, number>();
  asked = 0;
  refused = 0;
  bytes = 0;
  /** Responses from the local proxy in front of the Worker. They do not have our request ID. */
  notOurs = 0;

  add(finding: Finding): void {
    this.findings.push(finding);
  }

  count(kind: Kind): number {
    return this.findings.filter((finding) => finding.kind === kind).length;
  }

  /** Checks the response to a valid request against the access table. */
  checkAccess(route: string, caller: CallerKind, answer: Answer): void {
    const what = wrongAccess(route, caller, { status: answer.status, code: codeOf(answer) });
    if (what) this.add({ kind: "access", where: `${route} as ${caller}`, what });
  }

  /** Checks one response. @returns whether it produced a finding */
  look(goal: string, caller: CallerKind, shot: Shot, answer: Answer, replay?: string): boolean {
    const before = this.findings.length;
    const where = `${goal} as ${caller}`;
    const say = (kind: Kind, what: string) => this.add({ kind, where, what, ...(replay && { replay }) });
    this.asked += 1;
    this.bytes += answer.text.length;
    const group = `${Math.floor(answer.status / 100)}xx`;
    this.statuses.set(group, (this.statuses.get(group) ?? 0) + 1);
    if (answer.status >= 500 && !BY_DESIGN.some((one) => one.goal === goal && one.status === answer.status)) {
      say("5xx", `${answer.status} ${answer.body.slice(0, 200)}`);
    }
    const code = codeOf(answer);
    if (answer.status >= 400) {
      this.refused += 1;
      const changed = Object.keys(answer.rows).filter((table) => !mayChange(goal, caller, code, table));
      if (changed.length > 0)
        say(
          "rows",
          `refused with ${[answer.status, code].filter(Boolean).join(" ")}, yet changed ${changed.join(", ")}`,
        );
    }
    for (const leak of leaksTo(caller, answer.text)) say("leak", leak);
    const isOurs = answer.status === 101 || "x-request-id" in answer.headers;
    if (!isOurs) this.notOurs += 1;
    for (const wrong of isOurs ? wrongHeaders(shot, answer) : []) say("headers", wrong);
    return this.findings.length > before;
  }
}

/** Lists planted details in a response that its caller must not read. */
export function leaksTo(caller: CallerKind, text: string): string[] {
  const find = traceFinder(text);
  return PLANTED.filter(({ readers }) => !readers.includes(caller)).flatMap(({ whose, traces }) =>
    find(traces).map((trace) => `${whose}: "${trace}"`),
  );
}

/** Lists browser-related problems with a response's headers and body. */
function wrongHeaders({ path }: Shot, { status, headers, body }: Answer): string[] {
  if (status === 101) return [];
  const wrong: string[] = [];
  const type = headers["content-type"] ?? "";
  if (status >= 400 && path.startsWith("/api/") && !type.startsWith("application/problem+json")) {
    wrong.push(`${status} without a problem document: ${body.slice(0, 100)}`);
  }
  if (headers["x-content-type-options"] !== "nosniff") wrong.push(`${status} without nosniff`);
  if (type.startsWith("text/html") && body.includes(TAG)) wrong.push("the page contains an injected tag");
  for (const name of Object.keys(headers)) {
    if (name === SMUGGLED) wrong.push("the response has an injected header");
    if (name.startsWith("access-control-")) wrong.push(`other sites may read the response: ${name}`);
  }
  const { location } = headers;
  if (location && new URL(location, "http://own.invalid").host.includes("evil")) {
    wrong.push(`redirects to another site: ${location}`);
  }
  return wrong;
}
