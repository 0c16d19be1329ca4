import type { MarketChange } from "../../contract/exchange.ts";
import type { Effect, Listing } from "./listing.ts";
import type { ExchangeStore } from "./store.ts";

/**
 * The Worker that made a sale writes the sale to D1. If the Worker does not confirm within this time, the outbox writes
 * it.
 */
const OUTBOX_GRACE_MS = 5_000;

/** The events that contain the lead, by effect. */
const LEAD_EVENTS = {
  announce_listed: "listed",
  announce_returned: "returned",
  announce_revised: "revised",
} as const;

/**
 * Stores an effect of a decision, within the decision's transaction.
 * @returns the change to broadcast after the commit, or null
 */
export function applyEffect(
  store: ExchangeStore,
  effect: Effect,
  about: { listing: Listing; now: number },
): MarketChange | null {
  const { listing, now } = about;
  const { leadId, generation, version, state, sale, departure, rescue } = listing;
  switch (effect.type) {
    case "announce_listed":
    case "announce_returned":
    case "announce_revised": {
      const lead = store.summaryOf(leadId);
      // No window that catches up may get the text that the customer replaced.
      if (lead && effect.type === "announce_revised") store.replaceInEvents(lead);
      return lead && store.appendEvent({ kind: LEAD_EVENTS[effect.type], seq: 0, lead }, now);
    }
    case "announce_held":
      store.clearDue("announce", leadId);
      return store.appendEvent({ kind: "held", seq: 0, leadId, until: effect.until }, now);
    case "announce_held_at":
      store.setDue("announce", leadId, effect.at, "replace");
      return null;
    case "announce_gone":
      return store.appendEvent({ kind: "gone", seq: 0, leadId, reason: effect.reason }, now);
    case "forget_summary":
      store.deleteSummary(leadId);
      store.clearDue("expire", leadId);
      store.clearDue("offer", leadId);
      return null;
    case "project":
      store.putOutbox({ leadId, generation, version, state, sale, departure, rescue }, now);
      // No Worker writes the change of an offer.
      store.setDue("project", leadId, rescue && !sale ? now : now + OUTBOX_GRACE_MS, "replace");
      return null;
    case "wake_at":
      store.setDue("expire", leadId, effect.at, "replace");
      return null;
    case "hold_ends_at":
      store.setDue("hold", leadId, effect.at, "replace");
      return null;
    case "offer_ends_at":
      store.setDue("offer", leadId, effect.at, "replace");
      return null;
    case "cancel_payment_at":
      store.setDue("release", leadId, effect.at, "replace");
      return null;
    case "remember_release":
      store.saveRelease(effect.businessId, leadId, effect.lapsed, now);
      return null;
    case "remember_runner_up":
      store.saveRunnerUp(leadId, effect.businessId, now);
      return null;
    case "alert_stuck":
      return null;
  }
}
