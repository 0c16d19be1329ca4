import * as z from "zod/mini";

import type { ServiceId } from "./catalogue.ts";
import type { RegionCall } from "./standing.ts";
import { maxCharacters } from "./text-fields.ts";

/** A suburb in a list. */
export type SuburbListItem = {
  id: string;
  slug: string;
  name: string;
  postcode: string;
  council: string;
  state: string;
  /** Whole dollars. */
  priceFrom: number;
  latitude: number;
  longitude: number;
};

/** A suburb on its own page. */
export type SuburbDetail = SuburbListItem & {
  region: string;
  /** People at the 2021 census. */
  population: number;
  /** Whether our lists show it. Its page works in either case. */
  isActive: boolean;
  /** Whether search engines may index its page. It needs enough facts of its own. */
  isListed: boolean;
  description: string | null;
  phone: string | null;
  email: string | null;
  address: string | null;
  openingHours: string | null;
};

/** What a suburb's share picture shows. */
export type SuburbCard = Pick<
  SuburbDetail,
  "slug" | "name" | "postcode" | "region" | "population" | "priceFrom"
>;

/** A nearby suburb in any council, with the distance between the two centres. */
export type NearbySuburb = {
  slug: string;
  name: string;
  postcode: string;
  council: string;
  /** People at the 2021 census. */
  population: number;
  distanceKm: number;
  /** Direction from the main suburb in degrees: 0 is north, 90 east. */
  bearing: number;
};

/** Figures of a suburb from our own records of the last 90 days. A figure is null when it has fewer than five cases. */
export type SuburbRecords = {
  requestsAMonth: number | null;
  /** Median hours from the request to the call, rounded up. */
  medianCallHours: number | null;
  mostAskedFor: ServiceId | null;
  /** The region's time from the sale to the call. Null below 20 sales, or when most customers were not called. */
  regionCall: RegionCall | null;
};

/** Response of GET /api/suburbs/{name}: a locality, the places around it, nearest first, and its statistics. */
export type SuburbAnswer = SuburbDetail & { nearby: NearbySuburb[]; records: SuburbRecords };

/** A suburb suggested while a visitor types an address: any locality of the state, with or without a page. */
export type SuburbSuggestion = {
  name: string;
  state: string;
  postcode: string;
  /** Distinguishes places of the same name. */
  council: string;
  /** The part of the typed address that names the suburb, if it does. */
  typed?: string;
  /** For a small place with a well-known namesake: a larger place nearby, and the namesake's state. */
  near?: string;
  elsewhere?: string;
};

/**
 * The suburb found in an address, or suggestions when it is unclear. `isUnlisted`: we know the postcode, but not the
 * name that the visitor typed in a field of its own. An admin decides.
 */
export type AddressPlace = {
  suburb: SuburbSuggestion | null;
  suggestions: SuburbSuggestion[];
  isUnlisted: boolean;
};

/** A suburb as admins edit it. */
export type AdminSuburb = SuburbDetail;

const words = (max: number) => z.optional(z.nullable(z.string().check(z.trim(), maxCharacters(max))));

/** Body of PATCH /api/super-admin/suburbs/{id}. Omitted fields do not change. Empty text clears a field. */
export const suburbChangeSchema = z
  .object({
    isActive: z.optional(z.boolean("Yes or no")),
    /** Whole dollars. */
    priceFrom: z.optional(
      z
        .int("Whole dollars, from 1 to 9999")
        .check(
          z.minimum(1, "Whole dollars, from 1 to 9999"),
          z.maximum(9999, "Whole dollars, from 1 to 9999"),
        ),
    ),
    description: words(4000),
    phone: words(40),
    email: words(254),
    address: words(200),
    openingHours: words(400),
  })
  .check(
    z.refine((change) => Object.values(change).some((value) => value !== undefined), "Nothing to change"),
  );
export type SuburbChange = z.infer<typeof suburbChangeSchema>;
