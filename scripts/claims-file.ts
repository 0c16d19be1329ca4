/** Reads and writes operators' decisions about the site's claims, which are stored in data/claims.json. */
import { readFileSync, writeFileSync } from "node:fs";

import { ROOT } from "../testing/tools.ts";
import { type ClaimDecision, type ClaimId, CLAIMS } from "../web/site/claims.ts";

/** Decisions by claim ID. */
export type ClaimDecisions = Partial<Record<ClaimId, ClaimDecision>>;

const FILE = `${ROOT}data/claims.json`;

export const CLAIM_IDS = Object.keys(CLAIMS) as ClaimId[];

export function readDecisions(file = FILE): ClaimDecisions {
  return JSON.parse(readFileSync(file, "utf8")) as ClaimDecisions;
}

export function writeDecisions(decisions: ClaimDecisions, file = FILE): void {
  writeFileSync(file, `${JSON.stringify(decisions, null, 2)}\n`);
}

/** Returns the claims that no operator has confirmed or hidden, in list order. */
export function undecidedClaims(decisions: ClaimDecisions): ClaimId[] {
  return CLAIM_IDS.filter((id) => !isDecided(decisions[id]));
}

/** A decision counts only if it has a name and a date. */
function isDecided(decision: ClaimDecision | undefined): boolean {
  return (
    typeof decision?.shown === "boolean" &&
    /\S/.test(decision.by ?? "") &&
    /^\d{4}-\d\d-\d\d$/.test(decision.on ?? "")
  );
}

/** Lists every claim for an operator: its text, its condition and the decision. */
export function describeClaims(decisions: ClaimDecisions): string {
  return CLAIM_IDS.map((id) => {
    const { text, condition } = CLAIMS[id];
    const decision = decisions[id];
    const state =
      decision && isDecided(decision)
        ? `${decision.shown ? "confirmed" : "hidden"} by ${decision.by} on ${decision.on}`
        : "UNDECIDED";
    return `${id}: ${state}\n  says: ${text}\n  true when: ${condition}`;
  }).join("\n\n");
}

/**
 * Records an operator's decision.
 *
 * @param target the claim's ID, or "undecided" to hide every undecided claim
 * @param on the date, such as "2026-11-22"
 * @throws Error in one sentence if the decision is invalid
 */
export function decide(
  decisions: ClaimDecisions,
  {
    decisionAction,
    target,
    by,
    on,
  }: { decisionAction: string; target: string | undefined; by: string | null; on: string },
): ClaimDecisions {
  if (decisionAction !== "confirm" && decisionAction !== "hide")
    throw new Error(`"${decisionAction}" is not an action: use confirm or hide.`);
  const name = by?.trim();
  if (!name) throw new Error('Say who decides: --by="Your Name".');
  const appliesToRest = target === "undecided";
  if (appliesToRest && decisionAction === "confirm")
    throw new Error("Confirm claims one by one: each has its own proof.");
  const ids = appliesToRest ? undecidedClaims(decisions) : CLAIM_IDS.filter((id) => id === target);
  if (ids.length === 0 && !appliesToRest)
    throw new Error(`There is no claim "${target ?? ""}". Run npm run operate -- claims to see them.`);
  const decision = { shown: decisionAction === "confirm", by: name, on };
  return { ...decisions, ...Object.fromEntries(ids.map((id) => [id, decision])) };
}
