import { label } from "../../contract/lead-labels.ts";
import { isStated, type StatedDetail } from "../../contract/stated-details.ts";
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

/** Details that cards and badges show elsewhere. */
const SHOWN_ELSEWHERE = [
  ["urgency", "how soon"],
  ["frequency", "how often"],
] as const;

type Fact = [name: string, value: string | null, detail?: StatedDetail];

function factsOf(job: Job): Fact[] {
  return [
    ["Property", label(job.propertyType), "propertyType"],
    ["Size", label(job.propertySize), "propertySize"],
    ["Lawn", job.lawnCondition && `${label(job.lawnCondition)} condition`, "lawnCondition"],
    ["Grass", job.grassType && label(job.grassType), "grassType"],
    ["Access", job.accessRequirements && label(job.accessRequirements), "accessRequirements"],
    ["On site", [job.hasSlopes && "Slopes", job.hasPets && "Pets"].filter(Boolean).join(", ") || null],
    // Omit default values.
    ["Best time", job.preferredTime === "anytime" ? null : label(job.preferredTime)],
    ["Extras", job.additionalServices.map(label).join(", ") || null],
    ["Budget", job.budgetConcern === "not_important" ? null : label(job.budgetConcern)],
    ["Experience", label(job.previousExperience), "previousExperience"],
    ["Location", job.preferredLocation],
  ];
}

/** Shows the job's details as label and value pairs, and those that the customer did not state in one line. */
export function LeadFacts({ job }: { job: Job }) {
  const isKnown = ([, , detail]: Fact) => !detail || isStated(job, detail);
  const facts = factsOf(job);
  const notSaid = [
    ...SHOWN_ELSEWHERE.filter(([detail]) => !isStated(job, detail)).map(([, name]) => name),
    ...facts.filter((fact) => !isKnown(fact)).map(([name]) => name.toLowerCase()),
  ];
  return (
    <dl className="facts">
      {facts
        .filter((fact) => isKnown(fact) && fact[1])
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      {notSaid.length > 0 && (
        <div className="facts__long">
          <dt>Not said</dt>
          <dd>{notSaid.join(", ")}</dd>
        </div>
      )}
    </dl>
  );
}
