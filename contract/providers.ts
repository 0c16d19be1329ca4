import * as z from "zod/mini";

import type { SessionInfo, SignInInfo } from "./account.ts";
import type { UserType } from "./auth.ts";
import type { BadLeadState } from "./bad-leads.ts";
import type { CheckOverview } from "./checks.ts";
import type { ProfileState } from "./profiles.ts";
import type { CallShare, ProviderStanding } from "./standing.ts";
import { maxCharacters, optionalText } from "./text-fields.ts";

/** A provider as super admins see it. */
export type ProviderListItem = {
  id: string;
  firstName: string;
  lastName: string;
  companyName: string | null;
  username: string;
  email: string | null;
  userType: UserType;
  phone: string | null;
  abn: string | null;
  isActive: boolean;
  isVerified: boolean;
  isSuperAdmin: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** A provider in the list. `calls`: the recent leads called in time; null when none counts yet. */
export type ProviderRow = ProviderListItem & { calls: CallShare | null };

/** Filters of the provider list. */
export const PROVIDER_GROUPS = [
  "admins",
  "unverified",
  "deactivated",
  "stopped",
  "slow",
  "new_page",
] as const;

/** A public page is new for this many days. */
export const NEW_PAGE_DAYS = 30;

/** A provider who bought before, but not for this many days, has stopped buying. */
export const STOPPED_BUYING_DAYS = 30;

/** A provider whose bought lead is this many days old, without a call to its customer, has stopped calling. */
export const STOPPED_CALLING_DAYS = 2;

export type ProviderGroup = (typeof PROVIDER_GROUPS)[number];

/** Body of PATCH /api/super-admin/providers/{id}. The reason is stored with the notes. */
export const providerChangeSchema = z.object({
  isActive: z.boolean("Yes or no"),
  reason: optionalText(500),
});
export type ProviderChange = z.infer<typeof providerChangeSchema>;

/** Kinds of admins' notes about a provider: a plain note, or the reason or text of an action. */
export const PROVIDER_NOTE_KINDS = ["note", "deactivated", "activated", "refund", "message"] as const;
export type ProviderNoteKind = (typeof PROVIDER_NOTE_KINDS)[number];

const words = z
  .string("Please write something")
  .check(z.trim(), z.minLength(3, "Please write something"), maxCharacters(2000));

/** Body of POST /api/super-admin/providers/{id}/notes and …/message. */
export const providerTextSchema = z.object({ text: words });

export const noteIdSchema = z.string().check(z.regex(/^note_[0-9a-z]{8,40}$/, "Unknown note"));

export type ProviderNote = {
  id: string;
  kind: ProviderNoteKind;
  text: string;
  /** Id of a related object, such as a payment. */
  subjectId: string | null;
  byName: string;
  createdAt: number;
};

/** A member of a provider's team. `lastSeenAt` is epoch ms; null when not seen lately. */
export type ProviderMember = { id: string; name: string; email: string | null; lastSeenAt: number | null };

/** Everything about a provider, except paged lists. */
export type ProviderPage = {
  provider: ProviderListItem;
  businessAddress: string | null;
  insuranceDetails: string | null;
  licenseNumber: string | null;
  serviceAreas: string | null;
  services: string[];
  watchedRegions: string[];
  lastSeenAt: number | null;
  /** When they first paid with a card; null if they never did. */
  payingSince: number | null;
  /** Leads in their pipeline, including archived and manual ones. */
  leads: number;
  /** This calendar month and the eleven before it. Money is decimal text. */
  year: { bought: number; paid: string; refunded: string; won: number; earned: string };
  badLeads: Record<BadLeadState, number>;
  freeClaims: number;
  standing: ProviderStanding;
  team: ProviderMember[];
  sessions: SessionInfo[];
  signIns: SignInInfo[];
  notes: ProviderNote[];
  /** The provider's public page; null without one. */
  profile: ProfileState | null;
  checks: CheckOverview;
  /** Whether admins can send them a message here. */
  canMessage: boolean;
};

/** A lead in a provider's pipeline, as super admins see it. */
export type ProviderPurchase = {
  id: string;
  leadId: string;
  serviceType: string[];
  suburbName: string | null;
  customerName: string;
  mode: string;
  amountPaid: string;
  paymentStatus: string;
  paymentId: string | null;
  salesStage: string;
  isArchived: boolean;
  badLead: BadLeadState | null;
  purchasedAt: number;
};
