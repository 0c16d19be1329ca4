import type { AdminBoughtLead } from "../../contract/bad-leads.ts";
import { formatDateTime } from "../lib/format-time.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink, ProviderCell } from "./id-link.tsx";
import { PersonCell } from "./person.tsx";

/** Shows who bought a lead, and when. */
export const BUYER_COLUMN: Column<AdminBoughtLead> = {
  name: "Provider",
  cell: ({ businessId, businessName, boughtAt }) => (
    <ProviderCell id={businessId} name={businessName} sub={`Bought ${formatDateTime(boughtAt)}`} />
  ),
};

/** Shows the customer of a bought lead. @param idOf returns the id to show */
export const leadColumn = <Row extends AdminBoughtLead>(idOf: (row: Row) => string): Column<Row> => ({
  name: "Lead",
  cell: (row) => (
    <div>
      <PersonCell
        name={row.customerName}
        phone={row.customerPhone}
        email={row.customerEmail}
        path={row.suburbName}
      />
      <IdLink id={idOf(row)} log />
    </div>
  ),
});
