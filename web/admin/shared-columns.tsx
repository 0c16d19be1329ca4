import type { AdminBoughtLead } from "../../contract/bad-leads.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink, ProviderCell } from "./id-link.tsx";
import { PersonCell } from "./person.tsx";

type Business = { businessId: string; businessName: string };

/** Shows a provider. @param subOf returns the second line */
export const providerColumn = <Row extends Business>(subOf: (row: Row) => string): Column<Row> => ({
  name: "Provider",
  cell: (row) => <ProviderCell id={row.businessId} name={row.businessName} sub={subOf(row)} />,
});

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
