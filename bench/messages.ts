/**
 * Messages: a lead is listed in a region that thousands of providers watch on their phones, while buyers
 * claim other leads there. The fake push service responds after 40 ms, to simulate a remote service. It discards
 * messages unread, so that we measure only the product's work.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { newPushKeys, PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { migrate } from "../testing/product/read-build.ts";
import { quoteRequest } from "../testing/world.ts";
import { releaseSlots, loadWindow } from "./claims.ts";
import { Client } from "./client.ts";
import { COUNTING_WRAPPER } from "./cost.ts";
import { figure, percentile, type Row } from "./figures.ts";
import { type Product, startProduct } from "./runtime.ts";
import { listLeads, type Provider, signUp } from "./world.ts";

const ANSWERS_AFTER_MS = 40;
const CLAIMS_PER_LEAD = 32;
/** Interval between leads that a crowd claims. */
const CLAIM_INTERVAL_MS = 500;
/** Maximum duration of a run. */
const TIMEOUT_MS = 15 * 60_000;

/** Starts a push service that accepts every message and records when it accepted the last one. */
async function startService() {
  const seen = { taken: 0, lastAt: 0, first: new Set<string>() };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      setTimeout(() => {
        seen.taken += 1;
        seen.lastAt = performance.now();
        seen.first.add(request.url ?? "");
        response.writeHead(201).end();
      }, ANSWERS_AFTER_MS);
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, seen, stop };
}

/** Subscribes one phone for each provider, without quiet hours. */
async function allowOnAll({ d1 }: Product, watchers: readonly Provider[], pushKeys: string): Promise<void> {
  const { p256dh, auth } = await new PushStandIn(pushKeys).subscribe();
  const ids = JSON.stringify(watchers.map(({ id }) => id));
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO push_devices (id, user_id, session_id, endpoint, p256dh, auth, origin, created_at)
         SELECT 'psh_' || sessions.user_id, sessions.user_id, sessions.id,
                'https://push.naturestrip.test/' || sessions.user_id, ?2, ?3, 'http://naturestrip.test', 1
         FROM sessions WHERE sessions.user_id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(ids, p256dh, auth),
    d1
      .prepare(
        `INSERT INTO alert_settings (user_id, quiet_hours)
         SELECT value, '{"isOn":false,"startsAt":"20:00","endsAt":"07:00"}' FROM json_each(?1)`,
      )
      .bind(ids),
  ]);
}

/** Makes a crowd claim one lead after another until `isDone`. @returns each response's time in ms */
async function claimUntil(
  product: Product,
  buyers: readonly Provider[],
  client: Client,
  isDone: () => boolean,
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; !isDone(); turn++) {
    const next = performance.now() + CLAIM_INTERVAL_MS;
    const [leadId] = await listLeads(product, 1);
    const crowd = Array.from(
      { length: CLAIMS_PER_LEAD },
      (_, i) => buyers[(turn * CLAIMS_PER_LEAD + i) % buyers.length]!,
    );
    const hits = await Promise.all(
      crowd.map(({ cookie }) =>
        client.send({
          path: "/api/create-payment-intent",
          headers: { "Content-Type": "application/json", Origin: product.url, Cookie: cookie },
          body: JSON.stringify({ leadId, amount: LEAD_PRICE_CENTS }),
        }),
      ),
    );
    if (hits.filter(({ status }) => status === 200).length !== 1)
      throw new Error(`A race returned ${hits.map(({ status }) => status).join(" ")}`);
    times.push(...hits.map(({ ms }) => ms));
    await releaseSlots(product);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  return times;
}

const rowsOf = async ({ url }: Product) =>
  (await (await fetch(`${url}/bench/rows`)).json()) as { read: number; written: number };

/**
 * Measures how long it takes to notify all providers of one lead.
 *
 * @param sizes number of watching providers, and seconds of measured claims without messages
 */
export async function measureMessages(
  vars: Record<string, string>,
  sizes: { watchers: number; quietSeconds: number },
): Promise<Row[]> {
  const service = await startService();
  const pushKeys = await newPushKeys();
  const product = await startProduct(
    {
      ...vars,
      PUSH_KEYS: pushKeys,
      PUSH_STAND_IN: service.url,
      FASTEST_FORM_SECONDS: "0",
      SUSPICION_POINTS: "0",
      DUPLICATE_DAYS: "0",
      REQUESTS_PER_ADDRESS: "0",
    },
    { wrapper: COUNTING_WRAPPER },
  );
  await migrate(product.d1);
  const watchers = await signUp(product, sizes.watchers);
  await allowOnAll(product, watchers, pushKeys);
  const buyers = await signUp(product, 2_000);
  const client = new Client(product.url, CLAIMS_PER_LEAD);
  for (let i = 0; i < buyers.length; i += CLAIMS_PER_LEAD)
    await Promise.all(buyers.slice(i, i + CLAIMS_PER_LEAD).map(({ cookie }) => loadWindow(client, cookie)));

  const quietUntil = performance.now() + sizes.quietSeconds * 1000;
  const quiet = await claimUntil(product, buyers, client, () => performance.now() > quietUntil);

  // First without other load, to measure its own cost and duration.
  const lone = await notifyWatchers(product, service, sizes.watchers);
  const loneRows = lone.rows;
  const { seen } = service;
  const sending = notifyWatchers(product, service, sizes.watchers);
  const busy = await claimUntil(product, buyers, client, () => seen.taken >= sizes.watchers);
  const both = await sending;
  client.close();
  await product.stop();
  service.stop();
  const perWatcher = (count: number) => figure(count / sizes.watchers);
  const row = (what: string, ms: number | null, times: readonly number[] | null, rows: boolean): Row => ({
    [`${sizes.watchers.toLocaleString("en-AU")} watchers`]: what,
    "last accepted, s": ms === null ? "–" : figure(ms / 1000),
    "D1 rows read each": rows ? perWatcher(loneRows.read) : "–",
    "written each": rows ? perWatcher(loneRows.written) : "–",
    claims: times ? times.length.toLocaleString("en-AU") : "–",
    "p50 ms": times ? figure(percentile(times, 0.5)) : "–",
    "p99 ms": times ? figure(percentile(times, 0.99)) : "–",
  });
  return [
    row("nothing is sent", null, quiet, false),
    row("sent, no claims", lone.ms, null, true),
    row("sent, during claims", both.ms, busy, false),
  ];
}

let streets = 0;

/**
 * Requests a quote as a visitor.
 *
 * @returns the time from the response until the push service had the last phone's message, and D1's rows
 */
async function notifyWatchers(
  product: Product,
  { seen }: Awaited<ReturnType<typeof startService>>,
  watchers: number,
): Promise<{ ms: number; rows: { read: number; written: number } }> {
  seen.taken = 0;
  seen.first.clear();
  // Age the messages: the product would send a second lead within a minute as a digest.
  await product.d1.prepare("UPDATE messages SET created_at = created_at - 120000").run();
  await rowsOf(product);
  streets += 1;
  const started = performance.now();
  const sent = await fetch(`${product.url}/api/leads`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: product.url },
    body: JSON.stringify(quoteRequest({ customerAddress: `${streets} Norton Street, Leichhardt NSW 2040` })),
  });
  if (sent.status !== 201) throw new Error(`The request returned ${sent.status}: ${await sent.text()}`);
  while (seen.taken < watchers) {
    if (performance.now() - started > TIMEOUT_MS)
      throw new Error(`${seen.taken} of ${watchers} received the lead`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (seen.first.size !== watchers || seen.taken !== watchers)
    throw new Error(`${seen.taken} messages for ${seen.first.size} of ${watchers} phones`);
  const ms = seen.lastAt - started;
  // The product records the last messages' results a moment later.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return { ms, rows: await rowsOf(product) };
}
