/**
 * The columns with values from a contract list. They have no CHECK, because changing one requires rebuilding the table.
 */
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";

import { INSPECTION_IDS, SERVICE_IDS } from "../../../contract/catalogue.ts";
import { ADDITIONAL_SERVICES, PROPERTY_SIZES, URGENCIES } from "../../../contract/leads.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { SALES_STAGES } from "../../../contract/stages.ts";
import * as schema from "./schema.ts";

/** A column and its allowed values. It stores one value or a JSON array of values. */
export type ListedColumn = { column: string; values: readonly string[]; isArray: boolean };

/** Columns whose type does not name the list: arrays, and text from older code. */
const NAMED: Record<string, Record<string, { values: readonly string[]; isArray: boolean }>> = {
  users: {
    watched_regions: { values: REGION_SLUGS, isArray: true },
    services: { values: SERVICE_IDS, isArray: true },
  },
  bookings: { service_type: { values: [...SERVICE_IDS, ...INSPECTION_IDS], isArray: false } },
  leads: {
    service_type: { values: SERVICE_IDS, isArray: true },
    additional_services: { values: ADDITIONAL_SERVICES, isArray: true },
  },
  alert_settings: {
    regions: { values: REGION_SLUGS, isArray: true },
    services: { values: SERVICE_IDS, isArray: true },
    urgencies: { values: URGENCIES, isArray: true },
    least_size: { values: PROPERTY_SIZES, isArray: false },
  },
  lead_purchases: { sales_stage: { values: SALES_STAGES, isArray: false } },
  stage_changes: {
    from_stage: { values: SALES_STAGES, isArray: false },
    to_stage: { values: SALES_STAGES, isArray: false },
  },
};

/** Returns the tables with listed columns, and those columns. */
export function listedTables(): { table: string; columns: ListedColumn[] }[] {
  return Object.values(schema).flatMap((value) => {
    if (!is(value, SQLiteTable)) return [];
    const table = getTableName(value);
    const typed = getTableConfig(value).columns.flatMap(({ name, enumValues }) =>
      enumValues?.length ? [{ column: name, values: enumValues, isArray: false }] : [],
    );
    const named = Object.entries(NAMED[table] ?? {}).map(([column, list]) => ({ column, ...list }));
    const columns = [...typed, ...named];
    return columns.length > 0 ? [{ table, columns }] : [];
  });
}
