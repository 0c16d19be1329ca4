/** Checks what must hold for every response, whatever the request. */
import { OBJECT_ROWS } from "./counting.ts";
import { SMUGGLED, TAG } from "./odd.ts";
import type { AttackResponse, AttackRequest } from "./wire.ts";
import { type CallerKind, PLANTED } from "./people.ts";
import { findWrongAccess } from "./rights.ts";
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
  | "gain"
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

const isByDesign = (endpoint: string, { status }: AttackResponse) =>
  BY_DESIGN.some((one) => one.goal === endpoint && one.status === status);

/** Rows that a refused request may change, with the reason. */
export const ALLOWED_CHANGES: readonly {
  table: string;
  endpoint?: string;
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
    table: "free_claims",
    endpoint: "POST /api/leads/:id/claim-with-credit",
    why: "a free claim is reserved before the call to the exchange, and returned after a refusal",
  },
  ...["POST /api/exchange/holds", "POST /api/create-payment-intent"].map((endpoint) => ({
    table: OBJECT_ROWS,
    endpoint,
    codes: ["too_many_holds", "newcomer_limit", "key_reused"],
    why: "the exchange holds the lead before the check of the ledger, and releases it after a refusal",
  })),
  ...[
    "POST /api/passkeys",
    "POST /api/auth/passkey",
    "POST /api/auth/second-factor",
    "POST /api/auth/recovery-code",
    "POST /api/auth/confirm/passkey",
  ].map((endpoint) => ({
    table: "one_time_secrets",
    endpoint,
    why: "an attempt counts before its answer is checked, so that it cannot be made twice",
  })),
];

function mayChange(endpoint: string, caller: CallerKind, code: string, table: string): boolean {
  return ALLOWED_CHANGES.some(
    (one) =>
      one.table === table &&
      (one.endpoint ?? endpoint) === endpoint &&
      (one.caller ?? caller) === caller &&
      (one.codes?.includes(code) ?? true),
  );
}

/** Returns a response's error code, or "" if it has none. */
export function codeOf({ body }: Pick<AttackResponse, "body">): string {
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
  checkAccess(route: string, caller: CallerKind, attackResponse: AttackResponse): void {
    const what = findWrongAccess(route, caller, {
      status: attackResponse.status,
      code: codeOf(attackResponse),
    });
    if (what) this.add({ kind: "access", where: `${route} as ${caller}`, what });
  }

  /** Checks one response. @returns whether it produced a finding */
  inspect(
    endpoint: string,
    caller: CallerKind,
    request: AttackRequest,
    attackResponse: AttackResponse,
    replay?: string,
  ): boolean {
    const before = this.findings.length;
    const where = `${endpoint} as ${caller}`;
    const report = (kind: Kind, what: string) => this.add({ kind, where, what, ...(replay && { replay }) });
    this.asked += 1;
    this.bytes += attackResponse.text.length;
    const group = `${Math.floor(attackResponse.status / 100)}xx`;
    this.statuses.set(group, (this.statuses.get(group) ?? 0) + 1);
    if (attackResponse.status >= 500 && !isByDesign(endpoint, attackResponse)) {
      report("5xx", `${attackResponse.status} ${attackResponse.body.slice(0, 200)}`);
    }
    const code = codeOf(attackResponse);
    if (attackResponse.status >= 400) {
      this.refused += 1;
      const changed = Object.keys(attackResponse.rows).filter(
        (table) => !mayChange(endpoint, caller, code, table),
      );
      if (changed.length > 0)
        report(
          "rows",
          `refused with ${[attackResponse.status, code].filter(Boolean).join(" ")}, yet changed ${changed.join(", ")}`,
        );
    }
    for (const leak of findLeaks(caller, attackResponse.text, request.path)) report("leak", leak);
    const isOurs = attackResponse.status === 101 || "x-request-id" in attackResponse.headers;
    if (!isOurs) this.notOurs += 1;
    for (const wrong of isOurs
      ? wrongHeaders(request, attackResponse, isByDesign(endpoint, attackResponse))
      : [])
      report("headers", wrong);
    return this.findings.length > before;
  }
}

/**
 * Lists planted details in a response that its caller must not read.
 * @param path the request's path. An ID in it reveals nothing: the login page returns to that path
 */
export function findLeaks(caller: CallerKind, text: string, path = ""): string[] {
  const find = traceFinder(text);
  const findInPath = traceFinder(path);
  return PLANTED.filter(
    ({ readers, traces, isId }) => !readers.includes(caller) && !(isId && findInPath(traces).length > 0),
  ).flatMap(({ ownerLabel, traces }) => find(traces).map((trace) => `${ownerLabel}: "${trace}"`));
}

/** Lists browser-related problems with a response's headers and body. @param isReport a 5xx that reports a state */
function wrongHeaders(
  { path }: AttackRequest,
  { status, headers, body }: AttackResponse,
  isReport: boolean,
): string[] {
  if (status === 101) return [];
  const wrong: string[] = [];
  const type = headers["content-type"] ?? "";
  if (
    !isReport &&
    status >= 400 &&
    path.startsWith("/api/") &&
    !type.startsWith("application/problem+json")
  ) {
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
