import { DAY_MS } from "../../contract/durations.ts";
import { useState } from "react";
import { useSearchParams } from "react-router";

import { AUDIT_SUBJECTS, type AuditEntry, type AuditSubject } from "../../contract/audit.ts";
import { REGIONS } from "../../contract/regions.ts";
import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { AdminList } from "./admin-list.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { FilterDay, FilterSelect, SearchBox } from "./filters.tsx";

export function meta() {
  return [{ title: "Audit log | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const REGION_OPTIONS = REGIONS.map(({ slug, name }) => ({ value: slug, label: name }));

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

/** Returns the start of a day in this browser's time zone; undefined without a day. */
function startOf(day: string): number | undefined {
  const at = new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(at) ? undefined : at;
}

/** Shows the audit log: which user did what, on whose behalf, and when. No user can change it. */
export default function AuditPage() {
  const [action, setAction] = useState("");
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const [region, setRegion] = useState("");
  const [days, setDays] = useState({ from: "", to: "" });
  const subject = useDebounced(typed.trim(), 250);
  const until = startOf(days.to);
  const filter = {
    ...(action && { action }),
    ...(region && { region }),
    ...(subject && (subject.startsWith("user_") ? { userId: subject } : { subjectId: subject })),
    ...(days.from && { from: String(startOf(days.from)) }),
    ...(until !== undefined && { to: String(until + DAY_MS) }),
  };
  const list = usePages<AuditEntry>(["admin", "audit", filter], (cursor) =>
    readPage(browserApi().api["super-admin"].audit.$get({ query: { cursor, ...filter } as never })),
  );
  return (
    <>
      <header className="admin__head">
        <h1>Audit log</h1>
        <a
          className="button button--quiet"
          href={`/api/super-admin/audit.csv?${new URLSearchParams(filter)}`}
          download
        >
          Export CSV
        </a>
      </header>
      <div className="admin__filters">
        <SearchBox
          label="Person or item ID"
          placeholder="An ID, such as user_… or lead_…"
          value={typed}
          onChange={setTyped}
        />
        <FilterSelect label="About" all="Everything" options={SUBJECTS} value={action} onChange={setAction} />
        <FilterSelect
          label="Region"
          all="Every region"
          options={REGION_OPTIONS}
          value={region}
          onChange={setRegion}
        />
        <div className="admin__days">
          <FilterDay label="From" value={days.from} onChange={(from) => setDays({ ...days, from })} />
          <FilterDay label="To" value={days.to} onChange={(to) => setDays({ ...days, to })} />
        </div>
      </div>
      <AdminList
        label="Audit log"
        list={list}
        columns={AUDIT_COLUMNS}
        idOf={(line) => String(line.id)}
        loading="Loading the log..."
        empty="No entries match."
      />
    </>
  );
}
