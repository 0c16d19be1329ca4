import { type FieldsWith, fieldOf, LEAD_FIELDS, type LeadField } from "../../contract/lead-fields.ts";
import { label } from "../../contract/lead-labels.ts";
import { isStated, STATED_DETAILS } from "../../contract/stated-details.ts";
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

/** Answers that headings, badges, quotes and contact details show. */
const SHOWN_ELSEWHERE = [
  "serviceType",
  "urgency",
  "frequency",
  "specificRequests",
  "contactMethod",
  "contactTime",
] as const;

type Detail = Exclude<FieldsWith<{ ask: string }>, (typeof SHOWN_ELSEWHERE)[number]>;
const isDetail = (name: LeadField): name is Detail =>
  fieldOf(name).ask !== undefined && !(SHOWN_ELSEWHERE as readonly string[]).includes(name);
const DETAILS = (Object.keys(LEAD_FIELDS) as LeadField[]).filter(isDetail);

/** Returns an answer as text; empty for none, and for a default that we do not record as stated. */
function describeAnswer(job: Job, detail: Detail): string {
  const { name, ask, isRecorded, default: fallback } = fieldOf(detail);
  const value = job[detail];
  if (!value || (value === fallback && !isRecorded)) return "";
  if (value === true) return name;
  if (typeof value !== "string") return value.map(label).join(", ");
  if (detail === "lawnCondition") return `${label(value)} condition`;
  return ask === "text" ? value : label(value);
}

/** Shows the job's details as label and value pairs, and those that the customer did not state in one line. */
export function LeadFacts({ job }: { job: Job }) {
  const notSaid = STATED_DETAILS.filter((detail) => !isStated(job, detail));
  const facts = new Map<string, string[]>();
  for (const detail of DETAILS.filter((name) => !(notSaid as string[]).includes(name))) {
    const { name, ask } = fieldOf(detail);
    const heading = ask === "flag" ? "On site" : name;
    const text = describeAnswer(job, detail);
    if (text) facts.set(heading, [...(facts.get(heading) ?? []), text]);
  }
  return (
    <dl className="facts">
      {[...facts].map(([heading, texts]) => (
        <div key={heading}>
          <dt>{heading}</dt>
          <dd>{texts.join(", ")}</dd>
        </div>
      ))}
      {notSaid.length > 0 && (
        <div className="facts__long">
          <dt>Not said</dt>
          <dd>{notSaid.map((detail) => LEAD_FIELDS[detail].name.toLowerCase()).join(", ")}</dd>
        </div>
      )}
    </dl>
  );
}
