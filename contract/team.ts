import * as z from "zod/mini";

import { newPasswordSchema, requiredName } from "./auth.ts";
import { requiredEmailSchema } from "./text-fields.ts";
import { optionalPhoneSchema } from "./phone-fields.ts";

/** Body of POST /api/team-members. The email is also the username. */
export const teamMemberSchema = z.object({
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  email: requiredEmailSchema("Valid email required"),
  phone: optionalPhoneSchema("Phone number required"),
  /** Valid for one sign-in. Then the team member must choose their own. */
  tempPassword: newPasswordSchema,
});
export type TeamMemberForm = z.infer<typeof teamMemberSchema>;

/** A team member's alerts, as their owner set them. Body of PUT /api/team-members/{id}/alerts. */
export const teamAlertsSchema = z.object({
  /** Alert when the business gets a lead from the market. */
  sales: z.boolean("Yes or no"),
  /** Alert when a team mate mentions them in a lead's notes. */
  mentions: z.boolean("Yes or no"),
});
export type TeamAlerts = z.infer<typeof teamAlertsSchema>;

/** Default alerts of a team member, until their owner chooses. */
export const DEFAULT_TEAM_ALERTS: TeamAlerts = { sales: false, mentions: true };

/** A user of the caller's business, with the name for mentions. */
export type TeamName = { id: string; firstName: string; lastName: string; isYou: boolean };

/** A user who works on their owner's pipeline. */
export type TeamMember = {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  /** They have not replaced their temporary password yet. */
  mustChangePassword: boolean;
  alerts: TeamAlerts;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** A one-time link for setting a new password. It is shown once, to the user who issued it. */
export type PasswordLink = {
  /** Path of the page, without the site's origin. */
  path: string;
  /** Epoch milliseconds. */
  expiresAt: number;
};
