import type { AdminBooking } from "../../contract/bookings.ts";
import { INSPECTIONS, serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/lead-labels.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDate, formatDateTime } from "../lib/format-time.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { PersonCell } from "./person.tsx";
import { type RowActionMap, RowActions } from "./row-actions.tsx";

const VIEWS = [
  { value: "open", label: "Inspections to handle" },
  { value: "inspection", label: "All inspections" },
  { value: "garden", label: "Garden bookings" },
] as const;

const EMPTY = {
  found: "No inspection has this reference. Try it under Leads.",
  open: "No inspections are waiting.",
  inspection: "No bookings yet.",
  garden: "No bookings yet.",
} as const;

const inspectionNames: Readonly<Record<string, string>> = INSPECTIONS;

/** Returns the button that marks an inspection as handled, or opens it again. */
function actionsOf({ id, name, handledAt }: AdminBooking): RowActionMap {
  const isHandled = handledAt !== null;
  const handle = {
    label: isHandled ? "Reopen" : "Mark as handled",
    of: `the booking of ${name}`,
    act: () =>
      unwrap(adminApi().bookings[":id"].handled.$post({ param: { id }, json: { handled: !isHandled } })),
    done: isHandled ? "Booking reopened" : "Booking marked as handled",
    failed: "Failed to update booking",
  };
  return { handle };
}

const COLUMNS: readonly Column<AdminBooking>[] = [
  {
    name: "Booking",
    cell: (booking) => (
      <div>
        <span className="list__main">
          {inspectionNames[booking.serviceType] ?? serviceName(booking.serviceType)}
        </span>
        <span className="list__sub">
          {[
            booking.reference,
            booking.vehicle,
            booking.suburbName,
            booking.leadId && label(booking.propertySize),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {booking.preferredDate && (
          <span className="list__sub">Wants {formatDate(Date.parse(booking.preferredDate))}</span>
        )}
        {booking.message && (
          <details className="list__more">
            <summary>Customer's message</summary>
            {booking.message}
          </details>
        )}
      </div>
    ),
  },
  {
    name: "Customer",
    cell: (booking) => (
      <div>
        <PersonCell name={booking.name} phone={booking.phone} email={booking.email} />
      </div>
    ),
  },
  {
    name: "State",
    cell: (booking) =>
      booking.leadId ? (
        <div>
          Became a lead
          <IdLink id={booking.leadId} />
        </div>
      ) : (
        <div className="stack gap-2 list__stack">
          <span>
            {booking.handledAt === null
              ? "Open"
              : `Handled ${formatDateTime(booking.handledAt)} by ${booking.handledBy ?? "an admin"}`}
          </span>
          <RowActions list="bookings" actions={actionsOf(booking)} />
        </div>
      ),
  },
  { name: "Booked", cell: (booking) => <time>{formatDateTime(booking.createdAt)}</time> },
];

/** Shows bookings. An admin must handle each inspection. Garden bookings are already leads. */
export function BookingsPart() {
  return (
    <ListPage
      title="Bookings"
      isPart
      list="bookings"
      search={{ label: "Find an inspection", placeholder: "Reference, such as K7M2QX" }}
      filters={{ view: { label: "Show", options: VIEWS } }}
      fetchPage={({ q, view }, part) =>
        adminApi().bookings.$get({
          query: {
            ...part,
            q,
            kind: view === "garden" ? "garden" : "inspection",
            open: view === "open" ? "yes" : "no",
          },
        })
      }
      columns={COLUMNS}
      idOf={(booking) => booking.id}
      empty={({ q, view }) => EMPTY[q ? "found" : view]}
    />
  );
}
