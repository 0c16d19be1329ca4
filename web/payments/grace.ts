import { letGo } from "./purchase-api.ts";

/** How long a lead that was let go of can be taken back. */
const GRACE_MS = 10_000;

type Leaving = { holdId: string; timer: number; onGone: () => void };

/** Holds that are let go of in a moment, by their leads. */
const leaving = new Map<string, Leaving>();

function send(leadId: string, isLastChance = false): void {
  const hold = leaving.get(leadId);
  if (!hold) return;
  leaving.delete(leadId);
  clearTimeout(hold.timer);
  void letGo(hold.holdId, isLastChance).then(hold.onGone);
}

/** A window that closes cannot take anything back: the lead returns at once. */
const sendAll = () => {
  for (const leadId of leaving.keys()) send(leadId, true);
};

/**
 * Lets a lead go ten seconds from now, or when the window closes: a thumb that slipped may take it back until then.
 * @param endsAt when its time is over anyway, in epoch ms
 * @param onGone once it has been let go of
 */
export function letGoSoon(
  { leadId, holdId, endsAt }: { leadId: string; holdId: string; endsAt: number },
  onGone: () => void,
): void {
  addEventListener("pagehide", sendAll);
  const ms = Math.max(0, Math.min(GRACE_MS, endsAt - Date.now()));
  leaving.set(leadId, { holdId, onGone, timer: window.setTimeout(() => send(leadId), ms) });
}

/** Whether a hold is only waiting to be let go of, and may still be wanted. */
export function isLeaving(holdId: string): boolean {
  return [...leaving.values()].some((hold) => hold.holdId === holdId);
}

/** The buyer is back at one lead, and means what they said of all others: a business holds two at most. */
export function takeBack(leadId: string): void {
  const hold = leaving.get(leadId);
  if (hold) clearTimeout(hold.timer);
  leaving.delete(leadId);
  for (const other of leaving.keys()) send(other);
}
