/** Text messages that a business sends its customers with one tap. */
import * as z from "zod/mini";

import { isolate } from "./names.ts";
import { maxCharacters } from "./text-fields.ts";

export const MAX_TEMPLATES = 5;
export const TEMPLATE_MAX = 300;

/** Placeholders of a template, filled in when it is sent. */
export const TEMPLATE_FIELDS = ["name", "suburb", "business"] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

const templateSchema = z.object({
  name: z
    .string("Please name this message")
    .check(z.trim(), z.minLength(1, "Please name this message"), maxCharacters(40)),
  text: z
    .string("Please write the message")
    .check(z.trim(), z.minLength(1, "Please write the message"), maxCharacters(TEMPLATE_MAX)),
});
export type TextTemplate = z.infer<typeof templateSchema>;

/** Body of PUT /api/user/text-templates. It replaces all previous templates. */
export const textTemplatesSchema = z.object({
  templates: z
    .array(templateSchema, "Please send a list")
    .check(z.maxLength(MAX_TEMPLATES, `You can save up to ${MAX_TEMPLATES} messages`)),
});

/** Response of GET /api/user/text-templates: the templates and the business's name. */
export type TextTemplates = { templates: readonly TextTemplate[]; business: string | null };

/** Initial templates of a business. */
export const DEFAULT_TEMPLATES: readonly TextTemplate[] = [
  {
    name: "Missed you",
    text: "Hi {name}, it's {business} about your garden in {suburb}. I tried to call just now. When suits you for a quick chat?",
  },
  {
    name: "On my way",
    text: "Hi {name}, it's {business}. I'm on my way to you in {suburb} now. See you soon.",
  },
  {
    name: "Quote sent",
    text: "Hi {name}, it's {business}. I've sent your quote for the job in {suburb}. Any questions, just reply here.",
  },
];

/**
 * Fills in a template. Omits an unknown value and the space before it, or the "in" before a suburb.
 * @param known value of each placeholder; null or empty when unknown
 */
export function fillTemplate(text: string, known: Record<TemplateField, string | null>): string {
  return text
    .replaceAll(/(\s+in)?(\s*)\{(name|suburb|business)\}/gi, (_, leading = "", gap, field: string) => {
      const word = known[field.toLowerCase() as TemplateField]?.trim();
      if (word) return `${leading}${gap}${isolate(word)}`;
      // Remove the whole of "in {suburb}", but only the placeholder itself for other fields.
      return field.toLowerCase() === "suburb" ? "" : leading;
    })
    .replaceAll(/^\s+/g, "");
}
