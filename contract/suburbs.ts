import * as z from "zod/mini";

import type { ServiceId } from "./catalogue.ts";
import { maxSigns } from "./text-fields.ts";

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
  /** People at the 2016 census. */
  population: number;
  /** Whether our own lists show it; its page works in any case. */
  isActive: boolean;
  /** Whether search engines may list its page: it knows enough that no other page says. */
  isListed: boolean;
  description: string | null;
  phone: string | null;
  email: string | null;
  address: string | null;
  openingHours: string | null;
};

/** A suburb nearby, in whatever council, with the distance between the two centres. */
export type NearbySuburb = {
  slug: string;
  name: string;
  postcode: string;
  council: string;
  /** People at the 2016 census. */
  population: number;
  distanceKm: number;
  /** In degrees from the suburb it is near to: 0 is north, 90 east. */
  bearing: number;
};

/**
 * What our own records of the last 90 days say of a suburb. Each is null while fewer than five cases, of five people,
 * stand behind it.
 */
export type SuburbRecords = {
  requestsAMonth: number | null;
  /** Half of the calls came within so many hours of the request, rounded up. */
  medianCallHours: number | null;
  mostAskedFor: ServiceId | null;
};

/** A suburb offered while an address is typed; any locality of the state, with a page or without. */
export type SuburbSuggestion = {
  name: string;
  state: string;
  postcode: string;
  /** Tells places of one name apart. */
  council: string;
  /** The end of the address that it replaces, where that is spelt otherwise. */
  typed?: string;
};

/** What an address says about where it is; without a suburb, those it may mean. */
export type AddressPlace = { suburb: SuburbSuggestion | null; suggestions: SuburbSuggestion[] };

/** A suburb as admins edit it. */
export type AdminSuburb = SuburbDetail;

const words = (max: number) => z.optional(z.nullable(z.string().check(z.trim(), maxSigns(max))));

/** Body of PATCH /api/super-admin/suburbs/{id}. Absent fields stay, empty texts are cleared. */
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
