import { existsSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { CLAIM_IDS, CLAIMS, resolveClaims } from "../web/site/claims.ts";
import { VISITOR_PAGES } from "../contract/visitor-pages.ts";
import routes from "../web/routes.ts";
import { decide, describeClaims, readDecisions } from "./claims-file.ts";
import { findPageClaims, isClaimOf, STATEMENTS } from "../testing/page-claims.ts";
import { PUBLIC_PAGE_LIST } from "../testing/routes/pages.ts";
import { textBlocks } from "../testing/page-text.ts";

const on = "2026-11-22";
const by = "Jo Citizen";

test("a fresh checkout has no decisions, and each claim states its condition", () => {
  expect(readDecisions()).toEqual({});
  const list = describeClaims({});
  for (const { text, condition } of Object.values(CLAIMS)) {
    expect(list).toContain(text);
    expect(list).toContain(condition);
  }
});

test("a decision is stored with its date and name; an undecided claim is not shown", () => {
  let decisions = decide({}, { decisionAction: "confirm", target: "noHiddenFees", by, on });
  decisions = decide(decisions, { decisionAction: "hide", target: "slotsLeft", by, on });
  expect(decisions).toEqual({ noHiddenFees: { shown: true, by, on }, slotsLeft: { shown: false, by, on } });
  const list = describeClaims(decisions);
  expect(list).toContain(`noHiddenFees: confirmed by ${by} on ${on}\n`);
  expect(list).toContain(`slotsLeft: hidden by ${by} on ${on} (not shown)`);
  expect(list).toContain("headline: undecided (not shown)");
  expect(list).toContain("rating: undecided\n");
});

const decideWrongly = (action: string, what: string | undefined, name: string | null) => () =>
  decide({}, { decisionAction: action, target: what, by: name, on });

test("an invalid decision is rejected with a message", () => {
  expect(decideWrongly("confirm", "rating", null)).toThrow("--by");
  expect(decideWrongly("confirm", "rating", "  ")).toThrow("--by");
  expect(decideWrongly("hide", "undecided", by)).toThrow('no claim "undecided"');
  expect(decideWrongly("approve", "rating", by)).toThrow("use confirm or hide");
  expect(decideWrongly("hide", "ratings", by)).toThrow('no claim "ratings"');
});

test("a decision without a name or a date does not count", () => {
  const rating = { shown: true, by: "", on };
  expect(describeClaims({ rating })).toContain("rating: undecided");
  expect(describeClaims({ rating: { ...rating, by, on: "soon" } })).toContain("rating: undecided");
  const headline = { shown: true, by: "", on };
  expect(resolveClaims({}, false, { headline }).headline).toBeNull();
  expect(resolveClaims({}, false, { headline: { ...headline, by } }).headline).toBe(CLAIMS.headline.text);
});

test("the list names every claim, every page, and the source of every statement", () => {
  const list = describeClaims({ noHiddenFees: { shown: true, by, on } });
  const [, pages] = list.split("Each public page");
  expect(pages).toContain('\n/providers\n  winRate: figure "winRate", undecided\n');
  expect(pages).toContain(`  noHiddenFees: confirmed by ${by} on ${on}`);
  for (const { pattern } of PUBLIC_PAGE_LIST) expect(`${pages}\n`).toContain(`\n${pattern}\n`);
  for (const [id, { source }] of Object.entries(STATEMENTS)) expect(pages).toContain(`  ${id}: ${source}`);
  for (const id of CLAIM_IDS)
    expect(PUBLIC_PAGE_LIST.filter(({ pattern }) => isClaimOf(pattern, id)).length, id).toBeGreaterThan(0);
});

test("every document is in the table of pages", () => {
  const documents = routes
    .filter(({ file }) => file === "site/site-layout.tsx" || file === "site/form-layout.tsx")
    .flatMap(({ children = [] }) => children.map(({ path = "" }) => (path === "*" ? path : `/${path}`)));
  expect(documents.toSorted()).toEqual(["*", ...Object.keys(VISITOR_PAGES)].toSorted());
});

test("the sources of the statements exist", () => {
  const files = Object.values(STATEMENTS).flatMap(
    ({ source }) => source.match(/[\w./-]+\.(?:ts|md|toml)\b/g) ?? [],
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(existsSync(ROOT + file), file).toBe(true);
});

test.each([
  ["<p>Over 900 <b>happy</b> customers</p>", "Over 900 happy customers"],
  [
    '<meta name="description" content="Fully licensed &amp; trusted since 1999"/>',
    "Fully licensed & trusted since 1999",
  ],
  ["<ul><li>One form</li><li>Rated best in Sydney</li></ul>", "Rated best in Sydney"],
  ["<p>4.9/5 average rating from 2,000 reviews</p>", "4.9/5 average rating from 2,000 reviews"],
])("a claim on a page that no list has is found: %s", (html, found) => {
  expect(findPageClaims("/", textBlocks(html)).unlisted).toEqual([found]);
});

test("a listed claim counts only on the pages of its list", () => {
  const text = "45% of 412 leads taken in the last 12 months became booked jobs";
  const blocks = textBlocks(`<h2>No hidden fees</h2><p>${text}</p>`);
  expect(findPageClaims("/providers", blocks)).toEqual({
    claims: ["winRate"],
    statements: [],
    unlisted: ["No hidden fees"],
  });
  expect(findPageClaims("/", blocks)).toMatchObject({ claims: ["noHiddenFees"], unlisted: [text] });
});
