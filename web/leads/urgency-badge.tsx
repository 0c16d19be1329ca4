import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { isStated, type WithStated } from "../../contract/stated-details.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const TONES: Readonly<Record<string, BadgeTone>> = { urgent: "hot", within_week: "warm" };

/** Shows how soon the customer wants the job. Renders nothing if they did not say so. */
export function UrgencyBadge({ job }: { job: Pick<LeadSummary, "urgency"> & WithStated }) {
  const { urgency } = job;
  if (!isStated(job, "urgency")) return null;
  return <Badge tone={TONES[urgency] ?? "neutral"}>{urgency === "urgent" ? "Urgent" : label(urgency)}</Badge>;
}
