/**
 * Notifications about a business's own leads. A lock screen shows nothing of the customer, and no words of the notes,
 * because anyone may read it.
 */
import type { LeadSummary } from "../../contract/leads.ts";
import { factsOf, placeOf, type PushContent, servicesOf, topicOf } from "./templates.ts";

/** The link's target: the purchase, in its current list. */
type Where = { purchaseId: string; tab: string; origin: string };

const linkTo = ({ purchaseId, tab, origin }: Where) => `${origin}/dashboard?tab=${tab}&lead=${purchaseId}`;

/** Tells a user that a lead's notes mention them. @param by the writer's first name; null if the writer has left */
export function mentioned(summary: LeadSummary, by: string | null, where: Where): PushContent {
  const tag = `mention-${where.purchaseId}`;
  return {
    title: `${by ?? "Someone on your team"} mentioned you in a note`,
    body: factsOf(summary),
    navigate: linkTo(where),
    tag,
    topic: topicOf(tag),
    urgency: "normal",
  };
}

export function teamSale(summary: LeadSummary, where: Where): PushContent {
  return {
    title: `Your team got a lead in ${placeOf(summary)}`,
    body: `${servicesOf(summary)} · The name and number are in your pipeline.`,
    navigate: linkTo(where),
    tag: where.purchaseId,
    topic: topicOf(where.purchaseId),
    urgency: "high",
  };
}
