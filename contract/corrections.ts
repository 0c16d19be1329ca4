import * as z from "zod/mini";

import { optionalEmailSchema, optionalLine, requiredLine } from "./text-fields.ts";
import { phoneSchema } from "./phone-fields.ts";

/** Customer details that a business may correct. */
export type CorrectedDetail = "name" | "phone" | "email" | "address";

/** Body of PATCH /api/lead-purchases/{id}/customer. Omitted fields do not change. Null clears a field. */
export const customerCorrectionSchema = z
  .object({
    customerName: z.optional(requiredLine("Customer name is required", { max: 100 })),
    customerPhone: z.optional(phoneSchema("Phone number is required")),
    customerEmail: optionalEmailSchema("Valid email is required"),
    customerAddress: optionalLine(200),
  })
  .check(
    z.refine(
      (correction) => Object.values(correction).some((value) => value !== undefined),
      "Nothing to change",
    ),
  );
export type CustomerCorrection = z.infer<typeof customerCorrectionSchema>;
