import "./lead-facts.css";

import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";

/** The job details that both leads and purchases have. */
export type Job = Omit<
  LeadSummary,
  | "latitude"
  | "longitude"
  | "photoCount"
  | "confirmedBy"
  | "leadScore"
  | "status"
  | "price"
  | "createdAt"
  | "expiresAt"
  | "heldUntil"
>;

function factsOf(job: Job): [string, string][] {
  const facts: [string, string | null][] = [
    ["Property", label(job.propertyType)],
    ["Size", label(job.propertySize)],
    ["Lawn", job.lawnCondition && `${label(job.lawnCondition)} condition`],
    ["Grass", job.grassType && label(job.grassType)],
    ["Access", job.accessRequirements && label(job.accessRequirements)],
    ["On site", [job.hasSlopes && "Slopes", job.hasPets && "Pets"].filter(Boolean).join(", ") || null],
    // Omit default values.
    ["Best time", job.preferredTime === "anytime" ? null : label(job.preferredTime)],
    ["Extras", job.additionalServices.map(label).join(", ") || null],
    ["Budget", job.budgetConcern === "not_important" ? null : label(job.budgetConcern)],
    ["Experience", label(job.previousExperience)],
    ["Location", job.preferredLocation],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** Shows the job's details as label and value pairs. */
export function LeadFacts({ job }: { job: Job }) {
  return (
    <dl className="facts">
      {factsOf(job).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
