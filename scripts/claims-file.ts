/** Reads and writes operators' decisions about the site's claims, which are stored in data/claims.json. */
import { readFileSync, writeFileSync } from "node:fs";

import { FIGURE_MIN_RECORDS } from "../contract/public-figures.ts";
import { ROOT } from "../testing/tools.ts";
import {
  type Claim,
  CLAIM_IDS,
  CLAIMS,
  type ClaimDecision,
  type ClaimDecisions,
  type ClaimId,
} from "../web/site/claims.ts";
import { CLAIM_PAGES, PUBLIC_PAGES, type PublicPage, STATEMENTS } from "../testing/page-claims.ts";

const FILE = `${ROOT}data/claims.json`;

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

/** Says who decided about a claim, and when. */
function describeDecision(decision: ClaimDecision | undefined): string {
  if (!decision || !isDecided(decision)) return "UNDECIDED";
  return `${decision.shown ? "confirmed" : "hidden"} by ${decision.by} on ${decision.on}`;
}

function describeClaim(id: ClaimId, decisions: ClaimDecisions): string {
  const { text, condition, figure, isNew }: Claim = CLAIMS[id];
  return [
    `${id}: ${describeDecision(decisions[id])}`,
    `  says: ${text}`,
    `  true when: ${condition}`,
    ...(figure
      ? [
          `  in production: the figure "${figure[0]}" of docs/figures.md, from ${FIGURE_MIN_RECORDS} records on${isNew ? "" : " (the text above is for local use only)"}`,
        ]
      : []),
    `  pages: ${CLAIM_PAGES[id].join(", ")}`,
  ].join("\n");
}

/** Lists the claims and statements of a page, each with its figure, its decision or its source. */
function describePage(page: PublicPage, decisions: ClaimDecisions): string {
  const claims = CLAIM_IDS.filter((id) => CLAIM_PAGES[id].includes(page)).map((id) => {
    const { figure }: Claim = CLAIMS[id];
    return `  ${id}: ${figure ? `figure "${figure[0]}", ` : ""}${describeDecision(decisions[id])}`;
  });
  const statements = Object.entries(STATEMENTS)
    .filter(([, { pages }]) => pages.includes(page))
    .map(([id, { source }]) => `  ${id}: ${source}`);
  return [page, ...claims, ...statements].join("\n");
}

/** Lists every claim for an operator: its text, its condition and the decision. Then lists them by page. */
export function describeClaims(decisions: ClaimDecisions): string {
  const pages = Object.keys(PUBLIC_PAGES) as PublicPage[];
  return [
    ...CLAIM_IDS.map((id) => describeClaim(id, decisions)),
    "Each public page, with the decision or the source of what it says:",
    ...pages.map((page) => describePage(page, decisions)),
  ].join("\n\n");
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
