import { expect, test } from "vitest";
import * as z from "zod/mini";

const FORMS = Object.values(
  import.meta.glob<Record<string, unknown>>(["./*.ts", "!./*.test.ts"], { eager: true }),
)
  .flatMap((module) => Object.values(module))
  .filter((value) => value instanceof z.core.$ZodObject);

/** Fields that mean the same in every form. Beside each, the messages that the specification gives to a form. */
const SHARED_FIELDS: Record<string, string[]> = {
  customerPhone: ["Phone number must be at least 10 digits", "Phone number is required"],
  customerName: ["Name must be at least 2 characters", "Customer name is required"],
  customerEmail: [],
  customerAddress: [],
  phone: ["Phone number must be at least 10 characters", "Phone number required"],
  email: ["Please enter a valid email address", "Valid email required"],
  firstName: [],
  lastName: [],
  companyName: [],
  newPassword: [],
  propertyType: [],
  propertySize: [],
  urgency: [],
  frequency: [],
  regions: [],
  services: [],
  stars: [],
};

const WRONG = { empty: "", unreadable: "no such thing" };

/** @returns the message that the form gives for the field's value, if it is wrong */
function messageOf(form: z.core.$ZodObject, field: string, value: unknown): string[] {
  const schema = form._zod.def.shape[field];
  const issue = schema && z.safeParse(schema, value).error?.issues[0];
  return issue ? [issue.message] : [];
}

for (const [fault, value] of Object.entries(WRONG))
  test(`a field that is ${fault} has the same words in every form`, () => {
    for (const [field, given] of Object.entries(SHARED_FIELDS)) {
      const messages = new Set(FORMS.flatMap((form) => messageOf(form, field, value)));
      for (const message of given) messages.delete(message);
      expect(messages.size, `${field}: ${[...messages].join(" | ")}`).toBeLessThanOrEqual(1);
    }
  });

test("messages ask with Please, and write thousands with a comma", () => {
  const fields = FORMS.flatMap((form) =>
    Object.keys(form._zod.def.shape).map((field) => [form, field] as const),
  );
  const messages = fields.flatMap(([form, field]) =>
    ["", [], "x".repeat(30_000)].flatMap((value) => messageOf(form, field, value)),
  );
  expect(messages.filter((text) => /^Choose|at most \d{4,}|too long/.test(text))).toEqual([]);
});
