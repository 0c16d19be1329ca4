/**
 * The cost of a statement may depend on its page size and the work that is due, but must not grow with the market's
 * history. These tests run every API call, sweep and operator job in a market with years of data. They check each
 * statement's plan and rows read, both with and without SQLite's table statistics.
 */
import { beforeAll, expect, inject, test, vi } from "vitest";

import { bigMarket, bigMarketLead, scaleMarket } from "../testing/big-market.ts";
import { testEnv } from "../testing/client.ts";
import { runSweeps } from "../testing/drivers.ts";
import { type QueryPlan, explain, Recorder, type RecordedStatement } from "../testing/recorded-statements.ts";
import { exerciseEverything } from "../testing/exercise-everything.ts";

/**
 * Maximum rows that a statement may read. Every table that grows has more rows, even at a twentieth of the full size.
 */
const MAX_ROWS = 1_000;

/** Maximum rows that the every-minute sweeps may read when no work is due. */
const MAX_ROWS_IN_SWEEPS = 1_000;

/** Maximum columns that a statement may return. D1 allows 100. The rest is for new columns. */
const MAX_COLUMNS = 90;

/** Indexes that contain only due or open work. Statements may scan them completely. */
const WORK_LISTS = new Set([
  "attention_open",
  "bookings_waiting",
  "free_claims_unfinished",
  "leads_available",
  "leads_waiting",
  "live_sockets_to_close",
  "messages_due",
  "payments_open_slot",
  "photos_unowned",
  "reviews_moderated",
  "users_super_admins",
]);

/** Indexes of lists that are read one page at a time, newest first. The scan ends with the page. */
const PAGED = new Set([
  "audit_log_at",
  "leads_created",
  "messages_failed",
  "messages_over",
  "payments_created",
  "photos_shown",
]);

/**
 * Statements that are limited by something other than their plan. An unused entry fails the test. Entries with
 * `atFullSize` are needed only at full size.
 */
const ACCEPTED: { statement: RegExp; reason: string; atFullSize?: true }[] = [
  { statement: /from "push_devices" inner join/i, reason: "a lead is sent to every device there is" },
  { statement: /from "suburbs"/i, reason: "the suburbs of one state: they do not grow" },
  {
    statement: /^delete from "(sign_in_failures|form_starts)"/i,
    reason: "forgets what is too old, some thousand rows a minute at most",
  },
  {
    statement: /from "provider_profiles".+order by "provider_profiles"."slug" asc$/is,
    reason: "every public page of a business, for the sitemap, once an hour",
  },
  {
    statement: /ELSE \? END AS age, count/,
    reason: "all that is on the market just now, for the admins' first page",
  },
  {
    statement: /FROM users AS provider/,
    reason: "every quarter of an hour all providers are looked at: they are thousands, not millions",
  },
  { statement: /^select "channel", .*from "message_channels"$/i, reason: "one row a channel" },
  {
    statement: /from "audit_log".*"action" >= \?/i,
    reason: "an admin looks for a group of actions: SQLite walks the log from its newest line on",
  },
  {
    statement: /from "users" where \("users"."user_type" = \? and .* instr\(/i,
    reason: "a part of a name or number is looked for in all providers: they are thousands, not millions",
    atFullSize: true,
  },
  {
    statement: /^select count\(\*\) from "users" where "users"."user_type" = \?$/i,
    reason: "how many providers there are, of an index",
    atFullSize: true,
  },
  {
    statement: /from "users" where .*EXISTS \(SELECT 1 FROM lead_purchases WHERE buyer_id/is,
    reason: "which providers stopped buying or calling: they are thousands, not millions",
    atFullSize: true,
  },
  {
    statement: /^\s*SELECT region, avg\(ms\) AS ms FROM/,
    reason: "a median wants every sale of its 28 days, for the admins' page of the market's figures",
    atFullSize: true,
  },
  {
    statement: /^select count\(\*\) from "(leads|attention)" where/i,
    reason: "how much waits for a person",
    atFullSize: true,
  },
  {
    statement: /^insert into "market_days".*WITH events/is,
    reason: "counts one day of the market",
    atFullSize: true,
  },
  {
    statement: /^insert into "public_figures"/i,
    reason: "once a night: a figure of the public pages, from the records of a year",
  },
  {
    statement: /from "public_figures" where \("public_figures"."key" in/i,
    reason: "one row for each figure, and for each council's price of a service: they do not grow",
  },
  {
    statement: /^select count\(\*\) from "reviews" where "reviews"."written_at" is not null$/i,
    reason:
      "all reviews, counted in an index for the page about them, which the shared cache keeps for an hour",
  },
  {
    statement: /^select .*count\("free_claims"."id"\) from "lead_purchases" left join "free_claims"/i,
    reason: "once a day: the rate of free claims on the public page, from the sales of a year",
  },
  {
    statement: /^select "buyer_id", \(CASE.*json_each/s,
    reason: "the calls of a page of 100 providers, about the leads that they bought within 90 days",
  },
  {
    statement: /from "users" where .*AS result FROM lead_purchases/s,
    reason: "which providers are slow to call: they are thousands, not millions",
  },
  {
    statement: /^WITH steps AS MATERIALIZED/,
    reason: "counts the requests of one week, for the admins' page of the market's figures",
    atFullSize: true,
  },
];

const isAccepted = ({ text }: RecordedStatement) => ACCEPTED.some(({ statement }) => statement.test(text));

let tables: Set<string>;
let recorded: RecordedStatement[];
let explained: Map<string, QueryPlan[]>;
/** The sweeps' statements that read the most rows. */
let mostExpensive: RecordedStatement[];
let swept: { statements: number; rowsRead: number; ms: number };

/** Returns the faults in a statement's plan and rows read; an empty list if its cost is limited. */
function faultsOf(text: string, { plan, rowsRead }: QueryPlan): string[] {
  const faults = rowsRead > MAX_ROWS ? [`reads ${rowsRead} rows`] : [];
  for (const line of plan) {
    const [, table, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(line) ?? [];
    if (!table || !tables.has(table) || rowsRead === 0) continue;
    const isPage = index && PAGED.has(index) && /\blimit\b/i.test(text);
    if (!isPage && !WORK_LISTS.has(index ?? "")) faults.push(line);
  }
  return faults;
}

function allFaultsOf({ text }: RecordedStatement): string[] {
  return [...new Set(explained.get(text)!.flatMap((one) => faultsOf(text, one)))];
}

const isQuery = ({ text }: RecordedStatement) => /^\s*(select|insert|update|delete|with)/i.test(text);

const numbered = (prefix: string, number: number) => `${prefix}_${String(number).padStart(20, "0")}`;

async function fillAndWalk(): Promise<void> {
  const { DB } = testEnv;
  for (const text of bigMarket(scaleMarket(inject("marketPart")), Date.now())) await DB.prepare(text).run();
  const { results } = await DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('suburbs', 'paused_regions')",
  ).all<{ name: string }>();
  tables = new Set(results.map(({ name }) => name));
  const recorder = new Recorder();
  recorder.start();
  await exerciseEverything((what) => recorder.setOperation(what), {
    providerId: numbered("user", 2),
    purchaseId: numbered("pur", 1),
    leadId: bigMarketLead(5),
    paymentId: numbered("pay", 1),
  }).finally(() => recorder.stop());
  recorded = [...recorder.statements.values()].filter(isQuery);
}

async function explainAll(): Promise<void> {
  for (const one of recorded) {
    const known = explained.get(one.text) ?? [];
    explained.set(one.text, [...known, await explain(one)]);
  }
}

/** Maximum sweeps after calling every route. At full size that leaves thousands of leads to list. */
const MAX_SWEEPS = 300;

async function sweepUntilQuiet(): Promise<void> {
  const spies = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const countLogs = () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (let sweeps = 0, before = -1; sweeps < MAX_SWEEPS && countLogs() !== before; sweeps++) {
    before = countLogs();
    await runSweeps();
  }
}

async function sweepOnce(): Promise<void> {
  const recorder = new Recorder();
  recorder.start();
  await runSweeps().finally(() => recorder.stop());
  const all = [...recorder.statements.values()];
  mostExpensive = all.toSorted((a, b) => b.rowsRead - a.rowsRead).slice(0, 3);
  swept = {
    statements: all.reduce((sum, { calls }) => sum + calls, 0),
    rowsRead: all.reduce((sum, { rowsRead }) => sum + Math.max(rowsRead, 0), 0),
    ms: all.reduce((sum, { ms }) => sum + ms, 0),
  };
}

beforeAll(async () => {
  // Calling every route would fill the log.
  for (const level of ["log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation(() => {});
  explained = new Map();
  await fillAndWalk();
  await explainAll();
  // The deploy runs this statement too.
  await testEnv.DB.prepare("PRAGMA optimize = 0x10002").run();
  await explainAll();
  await sweepUntilQuiet();
  await sweepOnce();
  vi.restoreAllMocks();
});

function describeStatement(one: RecordedStatement): string {
  const plans = explained.get(one.text)!.map(({ plan }) => plan.join("\n  "));
  return `${allFaultsOf(one).join("; ")} (${[...one.by].slice(0, 3).join(", ")})\n${one.text.slice(0, 800)}\n  ${plans.join("\n or\n  ")}`;
}

test("no statement's cost grows with the past", () => {
  const faulty = recorded.filter((one) => !isAccepted(one) && allFaultsOf(one).length > 0);
  expect(faulty.map(describeStatement).join("\n\n")).toBe("");
});

/** Returns the number of columns that a query returns, roughly: a comma in an expression counts too. */
function countColumns({ text }: RecordedStatement): number {
  return /^select (.*?) from /is.exec(text)?.[1]?.split(", ").length ?? 0;
}

test("every query leaves room for new columns below D1's limit", () => {
  expect(Math.max(...recorded.map(countColumns)), "the test sees columns").toBeGreaterThan(40);
  const wide = recorded.filter((one) => countColumns(one) > MAX_COLUMNS);
  expect(wide.map((one) => `${countColumns(one)} columns: ${[...one.by].join(", ")}`)).toEqual([]);
});

test("what is accepted is still needed", () => {
  const faulty = recorded.filter((one) => allFaultsOf(one).length > 0);
  const here = ACCEPTED.filter(({ atFullSize }) => !atFullSize || inject("marketPart") === 1);
  expect(here.filter(({ statement }) => !faulty.some(({ text }) => statement.test(text)))).toEqual([]);
});

test("every index is used by a statement", async () => {
  const { results } = await testEnv.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%'",
  ).all<{ name: string }>();
  const words = new Set([...explained.values()].flat().flatMap(({ plan }) => plan.join(" ").split(" ")));
  expect(results.map(({ name }) => name).filter((name) => !words.has(name))).toEqual([]);
});

test("no index is a prefix of another index of the same rows", async () => {
  const { results } = await testEnv.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
  ).all<{ name: string; sql: string }>();
  const indexes = results.map(({ name, sql }) => {
    const [, isUnique, columns, rows] = /^CREATE (UNIQUE )?INDEX `\w+` ON (.*?)\)( WHERE .*)?$/s.exec(sql)!;
    return { name, isUnique, columns: `${columns},`, rows };
  });
  const needless = indexes.filter(
    (one) =>
      !one.isUnique &&
      indexes.some(
        (other) => other !== one && other.rows === one.rows && other.columns.startsWith(one.columns),
      ),
  );
  expect(needless.map(({ name }) => name)).toEqual([]);
});

test("with nothing to do, the minute's sweeps read next to nothing", () => {
  // oxlint-disable-next-line no-console -- the figures of docs/scale.md
  console.log(`The minute's sweeps: ${JSON.stringify(swept)}; ${recorded.length} statements looked at`);
  const most = mostExpensive.map(({ text, rowsRead }) => `${rowsRead} rows: ${text}`).join("\n\n");
  expect(swept.rowsRead, most).toBeLessThan(MAX_ROWS_IN_SWEEPS);
});
