import * as z from "zod/mini";

import { newPasswordSchema, requiredName } from "./auth.ts";
import { optionalPhoneSchema, requiredEmailSchema } from "./text-fields.ts";

export const userIdSchema = z.string().check(z.regex(/^user_[0-9a-z]{8,40}$/));

/** Body of POST /api/team-members. Their email is their username. */
export const teamMemberSchema = z.object({
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  email: requiredEmailSchema("Valid email required"),
  phone: optionalPhoneSchema("Phone number required"),
  /** Good for one sign-in: whoever uses it has to choose one of their own. */
  tempPassword: newPasswordSchema,
});
export type TeamMemberForm = z.infer<typeof teamMemberSchema>;

/** What a team member is told of, as their owner has it; body of PUT /api/team-members/{id}/alerts. */
export const teamAlertsSchema = z.object({
  /** When the business gets a lead from the market. */
  sales: z.boolean("Yes or no"),
  /** When somebody mentions them in a lead's notes. */
  mentions: z.boolean("Yes or no"),
});
export type TeamAlerts = z.infer<typeof teamAlertsSchema>;

/** What a team member is told of while their owner has chosen nothing. */
export const USUAL_TEAM_ALERTS: TeamAlerts = { sales: false, mentions: true };

/** Somebody of the caller's business, by the name that notes may mention. */
export type TeamName = { id: string; firstName: string; lastName: string; isYou: boolean };

/** Somebody who works on their owner's pipeline. */
export type TeamMember = {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  /** They have not chosen a password of their own yet. */
  mustChangePassword: boolean;
  alerts: TeamAlerts;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** A one-time link for setting a new password; told once, to whoever issued it. */
export type PasswordLink = {
  /** Path of the page to open, below the site's origin. */
  path: string;
  /** Epoch milliseconds. */
  expiresAt: number;
};
