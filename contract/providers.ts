import * as z from "zod/mini";

import type { SessionInfo, SignInInfo } from "./account.ts";
import type { UserType } from "./auth.ts";
import type { DudState } from "./duds.ts";
import { maxSigns, optionalText } from "./text-fields.ts";

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

/** What the list of providers can be narrowed to. */
export const PROVIDER_GROUPS = ["admins", "unverified", "deactivated", "stopped"] as const;

/** A provider who once bought and has not for this many days stopped buying. */
export const STOPPED_BUYING_DAYS = 30;

/** A provider with a bought lead this old, and no call to its customer, stopped calling. */
export const STOPPED_CALLING_DAYS = 2;

export type ProviderGroup = (typeof PROVIDER_GROUPS)[number];

/** Body of PATCH /api/super-admin/providers/{id}. Absent fields stay as they are; the reason is kept with the notes. */
export const providerChangeSchema = z
  .object({
    isActive: z.optional(z.boolean("Yes or no")),
    isVerified: z.optional(z.boolean("Yes or no")),
    reason: optionalText(500),
  })
  .check(
    z.refine(
      (change) => change.isActive !== undefined || change.isVerified !== undefined,
      "Nothing to change",
    ),
  );
export type ProviderChange = z.infer<typeof providerChangeSchema>;

/** With what admins write about a provider: a plain note, or the reason or words of what they did. */
export const PROVIDER_NOTE_KINDS = ["note", "deactivated", "activated", "refund", "message"] as const;
export type ProviderNoteKind = (typeof PROVIDER_NOTE_KINDS)[number];

const words = z
  .string("Please write something")
  .check(z.trim(), z.minLength(3, "Please write something"), maxSigns(2000, "At most 2,000 characters"));

/** Body of POST /api/super-admin/providers/{id}/notes and …/message. */
export const providerWordsSchema = z.object({ text: words });
export type ProviderWords = z.infer<typeof providerWordsSchema>;

export const noteIdSchema = z.string().check(z.regex(/^note_[0-9a-z]{8,40}$/, "Unknown note"));

export type ProviderNote = {
  id: string;
  kind: ProviderNoteKind;
  text: string;
  /** What else it is about, such as a payment. */
  subjectId: string | null;
  byName: string;
  createdAt: number;
};

/** Somebody on a provider's team, and when they were last here (epoch ms); null for not lately. */
export type ProviderMember = { id: string; name: string; email: string | null; lastSeenAt: number | null };

/** All there is to know about a provider, but for the lists that go on page by page. */
export type ProviderPage = {
  provider: ProviderListItem;
  businessAddress: string | null;
  insuranceDetails: string | null;
  licenseNumber: string | null;
  serviceAreas: string | null;
  services: string[];
  watchedRegions: string[];
  lastSeenAt: number | null;
  /** Since when they have paid with a card; null for never. */
  payingSince: number | null;
  /** Leads in their pipeline, archived ones and those they brought along included. */
  leads: number;
  /** This calendar month and the eleven before. Money is decimal text. */
  year: { bought: number; paid: string; refunded: string; won: number; earned: string };
  duds: Record<DudState, number>;
  freeClaims: number;
  team: ProviderMember[];
  sessions: SessionInfo[];
  signIns: SignInInfo[];
  notes: ProviderNote[];
  /** Whether a message can be sent to them from here. */
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
  dud: DudState | null;
  purchasedAt: number;
};
