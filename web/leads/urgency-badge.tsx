import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const TONES: Readonly<Record<string, BadgeTone>> = { urgent: "hot", within_week: "warm" };

/** Shows how soon the customer wants the job. */
export function UrgencyBadge({ urgency }: Pick<LeadSummary, "urgency">) {
  return <Badge tone={TONES[urgency] ?? "neutral"}>{urgency === "urgent" ? "Urgent" : label(urgency)}</Badge>;
}
