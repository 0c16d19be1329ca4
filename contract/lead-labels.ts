import type { ChoiceOf } from "./lead-fields.ts";
import type { CONFIRMED_BY } from "./leads.ts";

/** Labels of a lead's fields. Kept out of leads.ts so that the dashboard's initial bundle does not include the schemas. */

/** Labels that differ from the capitalised value. A value has the same label in every list. */
const LABELS: Readonly<Record<string, string>> = {
  small: "Small (under 300m²)",
  medium: "Medium (300-600m²)",
  large: "Large (600-1000m²)",
  extra_large: "Extra large (over 1000m²)",
  urgent: "Urgent (within 2 days)",
  within_week: "Within a week",
  within_month: "Within a month",
  one_off: "One-off",
  steps_or_slope: "Steps or a slope",
  fertilizing: "Fertilising",
};

/** Returns the label of a value in the lists of leads.ts, such as "Within a week" for `within_week`. */
export function label(value: string): string {
  return LABELS[value] ?? value.charAt(0).toUpperCase() + value.slice(1).replaceAll("_", " ");
}

/** How a customer showed that we can reach them: with the link in an email or a text, or with a reply to a text. */
export type ConfirmedBy = (typeof CONFIRMED_BY)[number];
export const CONFIRMED_LABELS: Record<ConfirmedBy, string> = {
  email: "Email confirmed",
  sms: "Number confirmed",
};

/** How and when a customer wants to be reached; null where they did not say. */
export type ContactPreference = {
  contactMethod: ChoiceOf<"contactMethod"> | null;
  contactTime: ChoiceOf<"contactTime"> | null;
};

const METHODS = { call: "a call", text: "a text", email: "an email" } as const;

/** Returns what a customer prefers, such as "a text in the evening"; null without a preference. */
export function preferenceOf({ contactMethod, contactTime }: ContactPreference): string | null {
  const method = contactMethod && METHODS[contactMethod];
  const time = contactTime === "anytime" ? null : contactTime;
  if (method) return time ? `${method} in the ${time}` : method;
  return time && `the ${time}`;
}

/** Returns how and when a customer wants to be reached, for the buyer; null without a preference. */
export function contactPreferenceText(contact: ContactPreference): string | null {
  const preference = preferenceOf(contact);
  return preference && `Prefers ${preference}`;
}
