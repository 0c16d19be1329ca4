/**
 * `npm run operate -- drill restore`: runs `restore-production` on this machine. The production build keeps
 * trading after a backup, then D1 is restored from it. The drill interrupts the restore. The market must stay
 * closed while D1 and the exchanges differ, and trade again afterwards.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { type LocalProduct, startLocalProduct } from "../../testing/product/local-product.ts";
import { LOCAL } from "../../testing/product/product.ts";
import { quoteRequest } from "../../testing/world.ts";
import { readArguments } from "../command.ts";
import { kindsOf } from "../operator/command-types.ts";
import { query, quote, type Row, type Target } from "../operator/d1.ts";
import type { Ask } from "../operator/resumable-steps.ts";
import { RESTORE_OPTIONS } from "../operator/restore-plan.ts";
import { restoreFile, restoreProduction } from "../operator/restore-run.ts";

const BUYER = {
  buyerName: "Pat Provider",
  buyerEmail: "pat@example.com",
  buyerPhone: "0491 570 006",
  buyerCompany: "Pat's Lawns",
};

/** Sends a request as a browser does, with the session cookie. */
async function send(product: LocalProduct, cookie: string, path: string, body?: unknown): Promise<Response> {
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
  if (answer.status !== 201) throw new Error(`A request returned ${answer.status}.`);
  const { id } = (await answer.json()) as { id: string };
  for (let attempts = 0; attempts < 100; attempts++) {
    const offered = (await (await send(product, cookie, "/api/leads")).json()) as { id: string }[];
    if (offered.some((lead) => lead.id === id)) return id;
    await product.runSchedule();
  }
  throw new Error(`${id} was not listed.`);
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

/** Confirms every step before the named one, and declines that one. */
const confirmUntil =
  (words: string | null): Ask =>
  async (question) =>
    words === null || !question.includes(words);

/** Runs the drill. Times are in milliseconds. */
export async function drillRestore() {
  const product = await startLocalProduct({ ...LOCAL });
  try {
    const { config, port } = product;
    const target: Target = { isRemote: false, config, port: String(port) };
    const backup = join(config, "..", "backup.sql");
    const run = (options: string[], answer: Ask) =>
      restoreProduction(
        target,
        readArguments({ name: "restore-production", options: kindsOf(RESTORE_OPTIONS) }, options, {}),
        answer,
      );

    const before = await product.signUp("pat-before");
    // Only D1 stores the purchase form. Reprojection recovers only the fields that the account also has.
    await query(target, "UPDATE users SET email = 'pat@example.com'");
    const [soldBefore, sold, open] = [
      await requestQuote(product, before),
      await requestQuote(product, before),
      await requestQuote(product, before),
    ];
    const first = await buy(product, before, soldBefore);
    await product.operate("region", "pause", "blacktown", "--reason=flood");
    await product.operate("backup", `--output=${backup}`);
    const since = await buy(product, before, sold);
    const orphan = await requestQuote(product, before);
    const sale = await saleOf(target, sold);

    const started = Date.now();
    const left = await run([`--from=${backup}`], confirmUntil("later decisions to D1"));
    const lostSale = await saleOf(target, sold);
    const after = await product.signUp("pat-after");
    const midway = {
      isDone: left,
      isKept: existsSync(restoreFile(target)),
      forgotten: lostSale.status,
      // This session is from before the restore, so it is no longer valid.
      signedOut: await buy(product, before, orphan),
      closed: await buy(product, after, open),
      other: await run(["--from=package.json"], confirmUntil(null)).catch(String),
    };

    // Reprojection never writes a lead's price.
    await query(target, `UPDATE leads SET price_cents = 1 WHERE id = ${quote(soldBefore)}`);
    const refused = await run([], confirmUntil(null)).catch(String);
    const stillClosed = await buy(product, after, open);
    await query(target, `UPDATE leads SET price_cents = 5000 WHERE id = ${quote(soldBefore)}`);
    const isDone = await run([], confirmUntil(null));
    const ms = Date.now() - started;
    const fresh = await requestQuote(product, after);
    return {
      sales: { first, since },
      midway,
      refused: String(refused),
      stillClosed,
      isDone,
      isForgotten: !existsSync(restoreFile(target)),
      ms,
      sale,
      restored: await saleOf(target, sold),
      keptSale: await saleOf(target, soldBefore),
      again: {
        sold: await buy(product, after, sold),
        open: await buy(product, after, open),
        orphan: await buy(product, after, orphan),
        fresh: await buy(product, after, fresh),
      },
      paused: await query(target, "SELECT region, reason FROM paused_regions"),
    };
  } finally {
    await product.stop();
  }
}

/** Runs the drill for an operator and prints the results. */
export async function reportRestore(): Promise<void> {
  const { ms, sale, restored, refused, isDone, again } = await drillRestore();
  const isSame = JSON.stringify(sale) === JSON.stringify(restored);
  console.log(isSame ? "The sale is the same, field by field." : { sale, restored });
  console.log(`${refused}\nOpen again: ${isDone}, after ${(ms / 1000).toFixed(0)} s`, again);
  process.exitCode = isSame && isDone ? 0 : 1;
}
