import { and, gte, inArray, lt } from "drizzle-orm";

import type { ServiceId } from "../../../contract/catalogue.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import {
  FIGURE_KEYS,
  FIGURE_MAX_AGE_DAYS,
  type JobPrice,
  type PublicFigures,
} from "../../../contract/public-figures.ts";
import type { Db } from "../../platform/db/client.ts";
import { publicFigures } from "../../platform/db/schema.ts";
import { PRICE_KEY } from "./figure-queries.ts";

/** SQL: rows of prices. Their keys start with PRICE_KEY, and ";" follows ":" in ASCII. */
export const isPrice = and(
  gte(publicFigures.key, PRICE_KEY),
  lt(publicFigures.key, PRICE_KEY.replace(":", ";")),
)!;

const isFresh = (now: number) => gte(publicFigures.computedAt, now - FIGURE_MAX_AGE_DAYS * DAY_MS);

const COLUMNS = {
  value: publicFigures.value,
  n: publicFigures.n,
  businesses: publicFigures.businesses,
  fromDay: publicFigures.fromDay,
  toDay: publicFigures.toDay,
};

/** Returns the figures of the claims, without prices. */
export async function readPublicFigures(db: Db, now: number): Promise<PublicFigures> {
  const rows = await db
    .select({ key: publicFigures.key, figure: COLUMNS })
    .from(publicFigures)
    .where(and(inArray(publicFigures.key, FIGURE_KEYS), isFresh(now)));
  return Object.fromEntries(rows.map(({ key, figure }) => [key, figure]));
}

/** Returns a council's prices by service, or a service's prices by council, in alphabetical order. */
export async function readJobPrices(
  db: Db,
  { council, service }: { council?: string | undefined; service?: string | undefined },
  now: number,
): Promise<JobPrice[]> {
  const rows = await db
    .select({ key: publicFigures.key, figure: COLUMNS })
    .from(publicFigures)
    .where(and(isPrice, isFresh(now)))
    .orderBy(publicFigures.key);
  return rows
    .map(({ key, figure }) => {
      const [, ofService, ...ofCouncil] = key.split(":");
      return { ...figure, service: ofService as ServiceId, council: ofCouncil.join(":") };
    })
    .filter((price) => price.council === council || price.service === service);
}
