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
  description: string | null;
  phone: string | null;
  email: string | null;
  address: string | null;
  openingHours: string | null;
};

/** A suburb nearby, with the distance between the two centres. */
export type NearbySuburb = { slug: string; name: string; postcode: string; distanceKm: number };

/** A suburb offered while an address is typed; any locality of the state, with a page or without. */
export type SuburbSuggestion = { name: string; state: string; postcode: string };
