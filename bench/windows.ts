/**
 * Live windows: a buyer claims a lead, and every open window in the region receives it. Measures the time
 * from sending the claim to the last window's message, and the memory per window.
 */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { loadWindow } from "./claims.ts";
import { Client, waitForAllWindows, openWindow, type BenchRequest, type Window } from "./client.ts";
import { figure, median, type Row, verdict } from "./figures.ts";
import { residentKb } from "./memory.ts";
import type { Floor, Product } from "./runtime.ts";
import { listLeads, type Provider, REGION, signUp } from "./world.ts";

const TARGET_RATIO = 3;
/** The target applies up to this number of windows. Larger crowds are only reported. */
const MAX_WINDOWS_WITH_TARGET = 1_000;
/** The product allows eight windows per person. */
const WINDOWS_PER_PROVIDER = 8;
const OPENING_AT_ONCE = 40;

async function open(count: number, one: (i: number) => Promise<Window>): Promise<Window[]> {
  const windows: Window[] = [];
  for (let i = 0; i < count; i += OPENING_AT_ONCE) {
    const some = Array.from({ length: Math.min(OPENING_AT_ONCE, count - i) }, (_, n) => one(i + n));
    windows.push(...(await Promise.all(some)));
  }
  return windows;
}

/** The product or the baseline: its open windows, and a function that makes the next claim. */
type MeasuredServer = {
  url: string;
  pid: number;
  windows: Window[];
  client: Client;
  next: () => BenchRequest;
  times: number[];
};

async function claimAndWait(server: MeasuredServer, isCounted: boolean): Promise<void> {
  const delivery = waitForAllWindows(server.windows);
  const [{ status }, ms] = await Promise.all([server.client.send(server.next()), delivery.ms]);
  if (status !== 200) throw new Error(`A claim without rivals returned ${status}`);
  if (isCounted) server.times.push(ms);
}

async function prepareProduct(product: Product, count: number, claims: number): Promise<MeasuredServer> {
  const leads = await listLeads(product, claims);
  const watchers = await signUp(product, Math.ceil(count / WINDOWS_PER_PROVIDER));
  const buyers: Provider[] = await signUp(product, claims);
  const path = `/api/exchange/${REGION}/live`;
  const windows = await open(count, (i) => {
    const { cookie } = watchers[i % watchers.length]!;
    return openWindow(product.url, path, { Cookie: cookie, Origin: product.url }, true);
  });
  const client = new Client(product.url, 1);
  for (const { cookie } of buyers) await loadWindow(client, cookie);
  let claim = 0;
  const next = () => {
    const [{ cookie }, leadId] = [buyers[claim]!, leads[claim]!];
    claim += 1;
    const headers = { "Content-Type": "application/json", Origin: product.url, Cookie: cookie };
    const body = JSON.stringify({ leadId, amount: LEAD_PRICE_CENTS });
    return { path: "/api/create-payment-intent", headers, body };
  };
  return { ...product, windows, next, client, times: [] };
}

let floorClaims = 0;

function nextFloorClaim(): BenchRequest {
  floorClaims += 1;
  const body = JSON.stringify({ leadId: `lead_heard_${floorClaims}`, businessId: "user_a" });
  return { path: "/claim", headers: { "Content-Type": "application/json" }, body };
}

async function prepareFloor(floor: Floor, count: number): Promise<MeasuredServer> {
  const windows = await open(count, () => openWindow(floor.url, "/live", {}, false));
  return { ...floor, windows, next: nextFloorClaim, client: new Client(floor.url, 1), times: [] };
}

async function close({ windows, client }: MeasuredServer): Promise<void> {
  client.close();
  await Promise.all(
    windows.map(
      ({ socket }) => new Promise<void>((resolve) => socket.once("close", () => resolve()).destroy()),
    ),
  );
}

/** Returns the memory per window in kB; null if the system does not report it. */
const perWindow = (before: number | null, after: number | null, count: number) =>
  before === null || after === null ? null : (after - before) / count;

/**
 * Measures growing numbers of windows, alternating between the product and the baseline.
 *
 * @param sizes number of claims, and numbers of windows
 * @returns a row for each number of windows, with their memory
 */
export async function measureWindows(
  start: () => Promise<{ product: Product; floor: Floor; stop: () => Promise<void> }>,
  sizes: { claims: number; crowds: readonly number[] },
): Promise<Row[]> {
  const { claims, crowds } = sizes;
  const rows: Row[] = [];
  for (const windows of crowds) {
    // Start new processes: reusing the memory of earlier windows would hide the cost.
    const { product, floor, stop } = await start();
    const before = [residentKb(product.pid), residentKb(floor.pid)] as const;
    const ours = await prepareProduct(product, windows, claims + 1);
    const theirs = await prepareFloor(floor, windows);
    const ourKb = perWindow(before[0], residentKb(product.pid), windows);
    const theirKb = perWindow(before[1], residentKb(floor.pid), windows);
    for (let i = 0; i <= claims; i++) {
      await claimAndWait(ours, i > 0);
      await claimAndWait(theirs, i > 0);
    }
    await Promise.all([close(ours), close(theirs)]);
    await stop();
    const ratio = median(ours.times) / median(theirs.times);
    rows.push({
      windows: windows.toLocaleString("en-AU"),
      "last event after ms": figure(median(ours.times)),
      "floor ms": figure(median(theirs.times)),
      ratio: `${ratio.toFixed(2)} ×`,
      [`aim ≤ ${TARGET_RATIO} ×`]:
        windows <= MAX_WINDOWS_WITH_TARGET ? verdict(ratio <= TARGET_RATIO) : "reported",
      "kB a window": ourKb === null ? "-" : figure(ourKb),
      "floor kB": theirKb === null ? "-" : figure(theirKb),
    });
  }
  return rows;
}
