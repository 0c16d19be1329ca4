/** Calls a region's exchange with retries, and converts its refusals into errors for the client. */

import { MINUTE_MS } from "../../contract/durations.ts";
import { isRegion, type Region, REGIONS } from "../../contract/regions.ts";
import type { Context } from "../platform/context.ts";
import { type Bindings, NEAR_SYDNEY } from "../platform/env.ts";
import { DomainError } from "../platform/errors.ts";
import { regionOfLeadId } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import type { Answer } from "./listing.ts";
import type { ExchangeObject, MarketCommand } from "./object.ts";
import { regionOfLead } from "./queries.ts";

/** Delays before the retries, in ms, with up to 50% jitter either way. An object takes about this long to wake up. */
const RETRY_DELAYS_MS = [40, 160];

/**
 * Returns whether a retry could help. A retry would only add to the load of an overloaded object.
 * https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
function isRetryable(error: unknown): boolean {
  return !(error instanceof Error && "overloaded" in error && error.overloaded === true);
}

/**
 * Calls a region's exchange. Retries if the stub breaks (an eviction, a deploy) or times out. Only for calls that are
 * safe to repeat.
 * @throws DomainError lead_not_found for an unknown region, exchange_unavailable
 */
async function callWithRetries<T>(
  context: Context,
  region: string | null,
  call: (exchange: DurableObjectStub<ExchangeObject>) => PromiseLike<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const exchange = region ? exchangeOf(context, region) : null;
    if (!exchange) throw new DomainError("lead_not_found");
    try {
      return await withTimeout(call(exchange));
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (delayMs === undefined || !isRetryable(error))
        throw new DomainError(
          "exchange_unavailable",
          "The market didn't respond. You have not been charged. Please try again.",
        );
      log("warn", "exchange_retry", { attempt: attempt + 1, error });
      await scheduler.wait(delayMs * (0.5 + Math.random()));
    }
  }
}

/** Sends a command about a lead to a region's exchange. @throws DomainError as callWithRetries */
export function sendCommand(
  context: Context,
  region: string | null,
  command: MarketCommand,
): Promise<Answer> {
  return callWithRetries<Answer>(context, region, (exchange) => exchange.decide(command));
}

/**
 * Sends a command to the exchange that trades the lead. Starts with the region in the lead's ID, and follows each move
 * that an exchange reports. Reads the region from D1 only if the first exchange does not know the lead, because that
 * exchange may have lost its storage.
 *
 * @returns the answer, and the region of the exchange that returned it
 * @throws DomainError as sendCommand
 */
export async function sendCommandToMarket(
  context: Context,
  command: MarketCommand,
): Promise<{ answer: Answer; region: Region }> {
  const { leadId } = command;
  let region = regionOfLeadId(leadId);
  // Each move increases the lead's generation, so the moves cannot form a cycle.
  for (let moves = 0; ; moves++) {
    const answer = await sendCommand(context, region, command);
    const isUnknownLead = moves === 0 && !answer.ok && answer.reason === "unknown";
    const movedTo = answer.ok ? null : answer.region;
    const next = isUnknownLead ? await regionOfLead(context.db, leadId) : movedTo;
    if (!next || next === region || moves > REGIONS.length) {
      const isMoving = moves > 0 && !answer.ok && answer.reason === "unknown";
      return { answer: isMoving ? { ok: false, reason: "closed" } : answer, region: region as Region };
    }
    region = next;
  }
}

/**
 * Returns the error for a business that must wait because it released leads.
 *
 * @param until epoch ms
 * @param isForAll whether the wait applies to every lead, because the business released several
 */
export function waitingError(until: number, isForAll: boolean): DomainError {
  const minutes = Math.max(1, Math.ceil((until - Date.now()) / MINUTE_MS));
  const wait = minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const message = isForAll
    ? `You released several leads within an hour. You can reserve leads again in ${wait}.`
    : `You released this lead. You can buy it again in ${wait}.`;
  return new DomainError("hold_waiting", message);
}

export function holdEndedError(): DomainError {
  return new DomainError("hold_ended", "Time's up for this lead. You have not been charged.");
}

/** Converts an exchange's refusal into an error for the buyer. */
export function refusalError(answer: Extract<Answer, { ok: false }>): DomainError {
  switch (answer.reason) {
    case "taken":
      return new DomainError("lead_taken", "Another provider got in first.");
    case "closed":
    case "moved":
      return new DomainError("lead_closed");
    case "price_changed":
      return new DomainError(
        "price_changed",
        "The price of this lead has changed. You have not been charged. Please reload.",
      );
    case "waiting":
      return waitingError(answer.until ?? 0, answer.isForAll === true);
    case "share_taken":
      return new DomainError(
        "newcomer_limit",
        "New providers have reached their limit in this region. Try again in a minute or two. You have not been charged.",
      );
    case "excluded":
      return new DomainError(
        "lead_closed",
        "You had this request first. The customer says no call has reached them, so it's going to another provider.",
      );
    case "hold_ended":
      return holdEndedError();
    case "paused":
      return new DomainError("region_paused", "This region is paused for now. You have not been charged.");
    default:
      return new DomainError("lead_not_found");
  }
}

/** Converts a refusal into an error for an admin. The error shows whether a retry can help. */
export function adminRefusalError(answer: Extract<Answer, { ok: false }>): DomainError {
  if (answer.reason === "taken") {
    return answer.until === undefined
      ? new DomainError("lead_taken", "This lead has been sold.")
      : new DomainError(
          "lead_held",
          "A provider is paying for this lead right now. Try again in a few minutes.",
        );
  }
  if (answer.reason === "excluded")
    return new DomainError(
      "lead_closed",
      "This provider had the request first and didn't call the customer.",
    );
  if (answer.reason === "outdated")
    return new DomainError("lead_changed", "This lead has just moved. Please reload.");
  return refusalError(answer);
}

/** Returns the stub of a region's exchange; null for an unknown region. */
export function exchangeOf(
  context: Pick<Bindings, "LEAD_EXCHANGE">,
  region: string,
): DurableObjectStub<ExchangeObject> | null {
  if (!isRegion(region)) return null;
  const namespace = context.LEAD_EXCHANGE as DurableObjectNamespace<ExchangeObject>;
  return namespace.get(namespace.idFromName(region), NEAR_SYDNEY);
}
