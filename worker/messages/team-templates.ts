/** What people of a business are told of a lead it has. A lock screen is read by anybody: nothing of the customer, and none of the notes' words. */
import type { LeadSummary } from "../../contract/leads.ts";
import { factsOf, placeOf, type PushContent, servicesOf, topicOf } from "./templates.ts";

/** Where a tap leads: the purchase, in the list where it stands. */
type Where = { purchaseId: string; tab: string; origin: string };

const linkTo = ({ purchaseId, tab, origin }: Where) => `${origin}/dashboard?tab=${tab}&lead=${purchaseId}`;

/** Somebody was mentioned in a lead's notes. @param by the writer's first name; null where they are gone */
export function mentioned(summary: LeadSummary, by: string | null, where: Where): PushContent {
  const tag = `mention-${where.purchaseId}`;
  return {
    title: `${by ?? "Somebody on your team"} mentioned you in a note`,
    body: factsOf(summary),
    navigate: linkTo(where),
    tag,
    topic: topicOf(tag),
    urgency: "normal",
  };
}

/** The business got a lead. */
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
