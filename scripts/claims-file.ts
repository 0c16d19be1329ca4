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
  isDecided,
} from "../web/site/claims.ts";
import { isClaimOf, STATEMENT_IDS, STATEMENTS } from "../testing/page-claims.ts";
import { PUBLIC_PAGE_LIST, type PublicPage } from "../testing/routes/pages.ts";

const PAGES = PUBLIC_PAGE_LIST.map(({ pattern }) => pattern);
const FILE = `${ROOT}data/claims.json`;

export function readDecisions(file = FILE): ClaimDecisions {
  return JSON.parse(readFileSync(file, "utf8")) as ClaimDecisions;
}

export function writeDecisions(decisions: ClaimDecisions, file = FILE): void {
  writeFileSync(file, `${JSON.stringify(decisions, null, 2)}\n`);
}

/** Says who decided about a claim, and when. */
function describeDecision(decision: ClaimDecision | undefined): string {
  if (!isDecided(decision)) return "undecided";
  return `${decision.shown ? "confirmed" : "hidden"} by ${decision.by} on ${decision.on}`;
}

function describeClaim(id: ClaimId, decisions: ClaimDecisions): string {
  const { text, condition, figure, isNew }: Claim = CLAIMS[id];
  const decision = decisions[id];
  const isShown = isDecided(decision) ? decision.shown : figure !== undefined;
  return [
    `${id}: ${describeDecision(decision)}${isShown ? "" : " (not shown)"}`,
    `  says: ${text}`,
    `  true when: ${condition}`,
    ...(figure
      ? [
          `  in production: the figure "${figure[0]}" of docs/figures.md, from ${FIGURE_MIN_RECORDS} records on${isNew ? "" : " (the text above is for local use only)"}`,
        ]
      : []),
    `  pages: ${PAGES.filter((page) => isClaimOf(page, id)).join(", ")}`,
  ].join("\n");
}

/** Lists the claims and statements of a page, each with its figure, its decision or its source. */
function describePage(page: PublicPage, decisions: ClaimDecisions): string {
  const claims = CLAIM_IDS.filter((id) => isClaimOf(page, id)).map((id) => {
    const { figure }: Claim = CLAIMS[id];
    return `  ${id}: ${figure ? `figure "${figure[0]}", ` : ""}${describeDecision(decisions[id])}`;
  });
  const statements = STATEMENT_IDS.filter((id) => isClaimOf(page, id)).map(
    (id) => `  ${id}: ${STATEMENTS[id].source}`,
  );
  return [page, ...claims, ...statements].join("\n");
}

/** Lists every claim for an operator: its text, its condition and the decision. Then lists them by page. */
export function describeClaims(decisions: ClaimDecisions): string {
  return [
    ...CLAIM_IDS.map((id) => describeClaim(id, decisions)),
    "Each public page, with the decision or the source of what it says:",
    ...PAGES.map((page) => describePage(page, decisions)),
  ].join("\n\n");
}

/**
 * Records an operator's decision.
 *
 * @param target the claim's ID
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
  const id = CLAIM_IDS.find((claim) => claim === target);
  if (!id) throw new Error(`There is no claim "${target ?? ""}". Run npm run operate -- claims to see them.`);
  return { ...decisions, [id]: { shown: decisionAction === "confirm", by: name, on } };
}
