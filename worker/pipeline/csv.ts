/** Exports purchases as CSV (RFC 4180). */
import { serviceName } from "../../contract/catalogue.ts";
import { fieldsWith, LEAD_FIELDS } from "../../contract/lead-fields.ts";
import { contactPreferenceText, label } from "../../contract/lead-labels.ts";
import { formatPhone } from "../../contract/phone.ts";
import { isStated } from "../../contract/stated-details.ts";
import { SALES_STAGES, STAGES } from "../../contract/stages.ts";
import { sydneyDay, formatSydneyTime } from "../../contract/sydney-time.ts";
import { stampOf } from "../selling/purchases/rules.ts";
import type { PurchasedLeadView } from "../selling/purchases/views.ts";
import { BOM, csvLine } from "../platform/csv.ts";

type Column = [title: string, value: (purchase: PurchasedLeadView) => string | number | null];

const moment = (at: number | null) => (at === null ? null : formatSydneyTime(at));

/** Returns a choice or a flag as text. */
const choiceText = (value: string | boolean | null) =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : value && label(value);

const COLUMNS: readonly Column[] = [
  ["Customer", (p) => p.customerName],
  ["Phone", (p) => formatPhone(p.customerPhone)],
  ["Email", (p) => p.customerEmail],
  ["How to reach them", contactPreferenceText],
  ["Address", (p) => p.customerAddress],
  ["Suburb", (p) => p.suburbName],
  ["Postcode", (p) => p.suburbPostcode],
  ["Services", (p) => p.serviceType.map(serviceName).join(", ")],
  ...fieldsWith({ isInCsv: true }).map((detail): Column => [
    LEAD_FIELDS[detail].name,
    (p) => (isStated(p, detail) ? choiceText(p[detail]) : ""),
  ]),
  ["Customer's message", (p) => p.specificRequests],
  ["Stage", (p) => STAGES[p.salesStage].label],
  ["Archived", (p) => (p.finalisedAt !== null ? "Closed" : p.isArchived ? "Archived" : "")],
  ["Source", (p) => (p.mode === "manual" ? "Added by hand" : "Lead")],
  ["Paid for the lead", (p) => p.amountPaid],
  ["Customer payment", (p) => p.customerPaymentAmount],
  ["Next action on", (p) => (p.nextActionAt === null ? null : sydneyDay(p.nextActionAt))],
  ["Next action", (p) => p.nextActionNote],
  ["Notes", (p) => p.salesNotes],
  ["Bought or added", (p) => moment(p.purchasedAt)],
  ["Unanswered calls", (p) => p.tries],
  ["Last contact", (p) => moment(p.lastContactAt)],
  ...SALES_STAGES.flatMap((stage): Column[] => {
    const stamp = stampOf(stage);
    return stamp ? [[STAGES[stage].label, (p) => moment(p[stamp])]] : [];
  }),
];

/** Returns the header line. The byte order mark tells spreadsheets that the file is UTF-8. */
export function csvHead(): string {
  return `${BOM}${csvLine(COLUMNS.map(([title]) => title))}`;
}

export function csvLines(purchases: readonly PurchasedLeadView[]): string {
  return purchases.map((purchase) => csvLine(COLUMNS.map(([, value]) => value(purchase)))).join("");
}
