import { AUDIT_SUBJECTS, type AuditSubject } from "../../contract/audit.ts";
import { addDays, startOfSydneyDay } from "../../contract/sydney-time.ts";
import { adminApi } from "../lib/browser-api.ts";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { type Chosen, ListPage } from "./list-page.tsx";
import { REGION_OPTIONS } from "./region-select.tsx";

const SUBJECT_NAMES: Readonly<Record<AuditSubject, string>> = {
  impersonation: "Impersonation",
  user: "Accounts",
  check: "Checks",
  team_member: "Team members",
  bank_details: "Bank details",
  card: "Cards",
  lead: "Leads",
  purchase: "Purchases",
  payment: "Payments",
  bad_lead: "Bad leads",
  guarantee: "Guarantee",
  review: "Reviews",
  photo: "Photos",
  booking: "Bookings",
  region: "Regions",
  suburb: "Suburbs",
  attention: "Attention",
  message: "Messages",
};
const SUBJECTS = AUDIT_SUBJECTS.map((value) => ({ value, label: SUBJECT_NAMES[value] }));

const FILTERS = {
  action: { label: "About", all: "Everything", options: SUBJECTS },
  region: { label: "Region", all: "Every region", options: REGION_OPTIONS },
  from: { label: "From", isDay: true },
  to: { label: "To", isDay: true },
} as const;

/** Returns the API's filter. An ID is a person's, or an item's. Days are in Sydney's time, as in the list. */
function filterOf({ q, action, region, from, to }: Chosen<typeof FILTERS>) {
  return {
    ...(action && { action }),
    ...(region && { region }),
    ...(q && (q.startsWith("user_") ? { userId: q } : { subjectId: q })),
    ...(from && { from: String(startOfSydneyDay(from)) }),
    ...(to && { to: String(startOfSydneyDay(addDays(to, 1))) }),
  };
}

/** Shows the audit log. Each entry names the user, the action, the time and, while impersonating, the admin. */
export default function AuditPage() {
  return (
    <ListPage
      title="Audit log"
      csvOf={(chosen) => `/api/super-admin/audit.csv?${new URLSearchParams(filterOf(chosen))}`}
      list="audit"
      search={{ label: "Person or item ID", placeholder: "An ID, such as user_… or lead_…" }}
      filters={FILTERS}
      fetchPage={(chosen, part) => adminApi().audit.$get({ query: { ...filterOf(chosen), ...part } })}
      columns={AUDIT_COLUMNS}
      idOf={(line) => String(line.id)}
      loading="Loading the log..."
      empty={() => "No entries match."}
    />
  );
}
