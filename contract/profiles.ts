/** A business's public page, `/provider/{slug}`. */
import * as z from "zod/mini";

import type { CheckKind, ShownCheck } from "./checks.ts";
import type { PublicReviews } from "./reviews.ts";
import { maxCharacters, optionalText } from "./text-fields.ts";

export const PROFILE_WORDS_MAX = 1500;
const PROFILE_WORDS_MIN = 40;

/** Maximum councils on a page. Sydney and its surroundings have about this many. */
export const MAX_COUNCILS = 40;

const WORDS_NEEDED = `Please write a sentence or two: at least ${PROFILE_WORDS_MIN} characters`;

/** Body of PUT /api/user/profile. */
export const profileSchema = z.object({
  words: z
    .string(WORDS_NEEDED)
    .check(z.trim(), z.minLength(PROFILE_WORDS_MIN, WORDS_NEEDED), maxCharacters(PROFILE_WORDS_MAX)),
  /** The suburb where the business is based, as typed. */
  basedIn: z
    .string("Which suburb are you based in?")
    .check(z.trim(), z.minLength(3, "Which suburb are you based in?"), maxCharacters(100)),
  councils: z
    .array(z.string().check(z.minLength(1), z.maxLength(60)), "Please choose councils from the list")
    .check(
      z.minLength(1, "Please select at least one council"),
      z.maxLength(MAX_COUNCILS, `Please select at most ${MAX_COUNCILS} councils`),
    ),
  isPublic: z.boolean("Yes or no"),
});
export type ProfileForm = z.infer<typeof profileSchema>;

/** Body of PUT /api/super-admin/providers/:id/profile. Hiding a page needs a reason, which the business reads. */
export const profileHidingSchema = z
  .object({ isHidden: z.boolean("Yes or no"), reason: optionalText(500) })
  .check(z.refine(({ isHidden, reason }) => !isHidden || Boolean(reason), "Please say why"));

/** Why a visitor reports a page. */
export const PAGE_REPORTS = {
  not_them: "It pretends to be another business",
  not_theirs: "The photos or words are someone else’s",
  other: "Something else is wrong",
} as const;
export type PageReport = keyof typeof PAGE_REPORTS;

/** Body of POST /api/profiles/:slug/report. */
export const pageReportSchema = z.object({
  reason: z.enum(Object.keys(PAGE_REPORTS) as PageReport[], "Please choose what's wrong"),
});

/** A business's time to call is public from this many calls on. One call would say little. */
export const PROFILE_MIN_CALLS = 5;

export type ProfilePhoto = { id: string; width: number; height: number };

/** A business's page as everyone sees it. */
export type ProviderProfile = {
  slug: string;
  name: string;
  words: string;
  services: string[];
  councils: string[];
  /** Where the business is based. */
  suburb: { name: string; postcode: string } | null;
  logo: ProfilePhoto | null;
  /** The business's own photos of its work. */
  work: ProfilePhoto[];
  /** Photos of one job before and after, which the customer and the business agreed to show. */
  jobs: { before: ProfilePhoto[]; after: ProfilePhoto[] }[];
  checks: ShownCheck[];
  /** Median time from the sale to the call, from 7 am to 8 pm, in ms, over the last 90 days. */
  call: { medianMs: number; count: number } | null;
  reviews: PublicReviews;
};

/** Response of GET and PUT /api/user/profile. */
export type OwnProfile = {
  /** As stored; suggestions from the account before the business first saves it. */
  form: ProfileForm;
  /** Whether the business has saved it. */
  isSaved: boolean;
  /** Whether everyone may see a public page: after the ABN's check or the first paid lead. */
  isEstablished: boolean;
  /** Why an admin took the page offline; null when it was not. */
  hiddenReason: string | null;
  /** The page, for the preview. */
  page: ProviderProfile;
};

/** A page as super admins see it. */
export type ProfileState = Pick<OwnProfile, "isEstablished" | "hiddenReason"> & {
  slug: string;
  isPublic: boolean;
};

/** A page in the sitemap, and when the business last changed it or got the newest shown review. */
export type ListedProfile = { slug: string; changedAt: number };

/** Maximum jobs on a service's page. */
export const MAX_SERVICE_JOBS = 2;

/** A job on a service's page. Its customer and its business agreed to show both photos. */
export type ShownJob = {
  /** The business's page and name. */
  slug: string;
  name: string;
  /** The customer's suburb. */
  suburb: string | null;
  before: ProfilePhoto;
  after: ProfilePhoto;
};

/** Maximum businesses on a suburb's page. */
export const MAX_LOCAL_PROVIDERS = 3;

/** A business on a suburb's page. */
export type LocalProvider = {
  slug: string;
  name: string;
  /** Where it is based, and how far from the suburb's centre. */
  suburb: string | null;
  distanceKm: number | null;
  logo: ProfilePhoto | null;
  /** What we have checked about it, as far as it is still valid. */
  checks: CheckKind[];
  /** The mean and the number of its reviews. */
  rating: Pick<PublicReviews, "mean" | "shown"> | null;
  /** Recent leads called in time; null when none counts yet. */
  calls: { counted: number; inTime: number } | null;
};
