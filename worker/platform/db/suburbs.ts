import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { REGION_SLUGS } from "../../../contract/regions.ts";

export const suburbs = sqliteTable(
  "suburbs",
  {
    id: text().primaryKey(),
    /** `name`, or `name-postcode` if several suburbs share a name. */
    slug: text().notNull(),
    name: text().notNull(),
    /** One key for all spellings of the name: `placeKey` in contract/place-names.ts. */
    nameKey: text("name_key").notNull(),
    postcode: text().notNull(),
    council: text().notNull(),
    state: text().notNull().default("NSW"),
    region: text({ enum: REGION_SLUGS }).notNull(),
    latitude: real().notNull(),
    longitude: real().notNull(),
    population: integer().notNull().default(0),
    /** Slugs of the nearby places, nearest first, as JSON. The suburb import computes them. */
    near: text().notNull().default("[]"),
    /** Number of reference facts that are specific to this suburb: `contract/suburb-facts.ts`. */
    referenceFacts: integer("reference_facts").notNull().default(0),
    /* Operators maintain the columns below. The suburb import never writes them. */
    description: text(),
    phone: text(),
    email: text(),
    address: text(),
    openingHours: text("opening_hours"),
    priceFrom: integer("price_from").notNull().default(49),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    uniqueIndex("suburbs_slug").on(table.slug),
    index("suburbs_name").on(table.nameKey, table.population),
    index("suburbs_postcode").on(table.postcode, table.population),
    index("suburbs_active").on(table.isActive, table.population),
    index("suburbs_council").on(table.council, table.isActive, table.population),
  ],
);
