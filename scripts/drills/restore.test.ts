/**
 * The restore of docs/operations.md, on this machine: the production build keeps trading after a backup, and D1 is then
 * restored from it. The local D1 has no Time Travel, so the backup stands in for it.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test, vi } from "vitest";

import { type LocalProduct, startLocalProduct } from "../../testing/product/local-product.ts";
import { LOCAL } from "../../testing/product/product.ts";
import { run } from "../../testing/tools.ts";
import { quoteRequest } from "../../testing/world.ts";
import { readArguments } from "../command.ts";
import { BACKUP } from "../operator/backup-commands.ts";
import { COUNT_ROWS } from "../operator/backup-d1.ts";
import { kindsOf, type OperatorCommand } from "../operator/command-types.ts";
import { query, quote, type Row, stateDirOf, type Target } from "../operator/d1.ts";
import { MARKET } from "../operator/market-commands.ts";

const BUYER = {
  buyerName: "Pat Provider",
  buyerEmail: "pat@example.com",
  buyerPhone: "0491 570 006",
  buyerCompany: "Pat's Lawns",
};

const COMMANDS: Readonly<Record<string, Extract<OperatorCommand, { work: unknown }>>> = {
  ...BACKUP,
  ...MARKET,
};

/** Runs an operator command in this process. @returns what it prints */
async function operate(target: Target, name: string, ...args: string[]): Promise<string> {
  const { work, options, positionalArgs = [] } = COMMANDS[name]!;
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text) => void lines.push(String(text)));
  try {
    await work(target, readArguments({ name, options: kindsOf(options), positionalArgs }, args, {}));
    return lines.join("\n");
  } finally {
    log.mockRestore();
  }
}

/** Sends a request as a browser does, with the session cookie. */
function send(product: LocalProduct, cookie: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${product.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Origin: product.url, Cookie: cookie, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const buy = async (product: LocalProduct, cookie: string, leadId: string) =>
  (await send(product, cookie, `/api/leads/${leadId}/purchase`, BUYER)).status;

/** Requests a quote as a visitor and waits until the lead is listed. @returns the lead's ID */
async function requestQuote(product: LocalProduct, cookie: string): Promise<string> {
  const answer = await send(product, "", "/api/leads", quoteRequest());
  const { id } = (await answer.json()) as { id: string };
  await expect
    .poll(async () => {
      await product.runSchedule();
      return ((await (await send(product, cookie, "/api/leads")).json()) as { id: string }[]).map(
        (lead) => lead.id,
      );
    })
    .toContain(id);
  return id;
}

/** Returns a sale in D1: the lead, its purchase and its first stage. */
async function saleOf(target: Target, leadId: string): Promise<Row> {
  const rows = await query(
    target,
    `SELECT purchase.*, lead.status, lead.listing_state, stage.to_stage, stage.changed_at
     FROM leads AS lead LEFT JOIN lead_purchases AS purchase ON purchase.lead_id = lead.id
     LEFT JOIN stage_changes AS stage ON stage.purchase_id = purchase.id WHERE lead.id = ${quote(leadId)}`,
  );
  return rows[0] ?? {};
}

/** The indexes and triggers, which enforce constraints that the code does not. */
const GUARDS =
  "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY name";

/** Empties D1 and fills it from a backup, as `wrangler d1 execute --file` does with a new database. */
async function restoreFile({ config }: Target, state: string, file: string): Promise<void> {
  rmSync(join(state, "v3/d1"), { recursive: true });
  const where = ["--local", "--config", config, "--persist-to", state];
  await run("wrangler", ["d1", "execute", "DB", ...where, "--yes", "--file", file]);
}

test("row 44: after a restore of D1 from a backup, the market has every sale and trades on", async () => {
  const product = await startLocalProduct({ ...LOCAL }, null);
  try {
    const { config, port } = product;
    const target: Target = { isRemote: false, config, port: String(port) };
    const backup = join(config, "..", "backup.sql");

    const before = await product.signUp("pat-before");
    // Only D1 stores the purchase form. The exchange's record brings back only what the account also has.
    await query(target, "UPDATE users SET email = 'pat@example.com'");
    const [early, sold, open] = [
      await requestQuote(product, before),
      await requestQuote(product, before),
      await requestQuote(product, before),
    ];
    expect(await buy(product, before, early)).toBe(201);
    await operate(target, "backup", `--output=${backup}`);
    const [rows] = await query(target, COUNT_ROWS);
    const guards = await query(target, GUARDS);
    expect(await operate(target, "backup", `--check=${backup}`)).toContain("is complete: ");

    expect(await buy(product, before, sold)).toBe(201);
    const orphan = await requestQuote(product, before);
    const sale = await saleOf(target, sold);

    await operate(target, "region", "pause", "--all", "--reason=A restore");
    await product.stopServer();
    await restoreFile(target, stateDirOf(target), backup);
    expect(await query(target, COUNT_ROWS)).toEqual([rows]);
    expect(await query(target, GUARDS)).toEqual(guards);
    expect(guards.length).toBeGreaterThan(40);
    expect(await saleOf(target, sold)).toMatchObject({ status: "available", id: null });

    await product.restartServer();
    // The exchanges have kept the pause that D1 has lost.
    expect(await buy(product, before, open)).toBe(503);
    const planned = await operate(target, "reconcile");
    expect(planned).toMatch(new RegExp(`${sold}: .* --fix would write the exchange's record to D1\\.`));
    expect(planned).toMatch(new RegExp(`${orphan}: .* --fix would take the lead off that market\\.`));
    expect(await buy(product, before, open), "nothing was changed").toBe(503);
    expect(await operate(target, "reconcile", "--fix")).toMatch(/sessions ended: [1-9]/);
    expect(await operate(target, "reconcile")).toContain("differences: 0");
    await operate(target, "region", "resume", "--all");

    expect(await saleOf(target, sold)).toEqual(sale);
    expect(await saleOf(target, early)).toMatchObject({ status: "sold", amount_paid_cents: 5000 });
    expect(await buy(product, before, open), "signed out").toBe(401);
    const after = await product.signUp("pat-after");
    expect(await buy(product, after, sold)).toBeGreaterThanOrEqual(404);
    expect(await buy(product, after, orphan)).toBeGreaterThanOrEqual(404);
    expect(await buy(product, after, open)).toBe(201);
    expect(await buy(product, after, await requestQuote(product, after))).toBe(201);
  } finally {
    await product.stop();
  }
});
