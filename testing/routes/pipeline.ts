/** Bought and manual leads, and a business's figures. */
import { answersSeenSchema } from "../../contract/answers.ts";
import { contactSchema } from "../../contract/contacts.ts";
import { customerCorrectionSchema } from "../../contract/corrections.ts";
import { badLeadReportSchema } from "../../contract/bad-leads.ts";
import { contestSchema } from "../../contract/guarantee.ts";
import { purchaseUpdateSchema } from "../../contract/purchases.ts";
import { replySchema } from "../../contract/reviews.ts";
import { business, owner, type RouteTable } from "./route.ts";

export const PIPELINE_ROUTES = {
  "GET /api/bad-leads": { gets: business() },
  "POST /api/lead-purchases/:id/bad-lead": {
    gets: owner(201, 404),
    refusesImpersonation: true,
    schema: badLeadReportSchema,
    body: () => ({ reason: "disconnected" }),
    required: ["reason"],
    wrong: { reason: "rude", note: "x".repeat(1001) },
  },
  "POST /api/lead-purchases/:id/contest": {
    gets: owner(404),
    refusesImpersonation: true,
    schema: contestSchema,
    body: () => ({ note: "I have the call records" }),
    required: ["note"],
    wrong: { note: "x".repeat(1001) },
  },
  "GET /api/reviews/own": {
    gets: owner(),
    examples: ["/api/reviews/own?limit=5"],
  },
  "GET /api/reviews/own/summary": { gets: owner() },
  "POST /api/reviews/:id/reply": {
    gets: owner(200, 404),
    refusesImpersonation: true,
    schema: replySchema,
    body: () => ({ reply: "Thank you" }),
    required: ["reply"],
    wrong: { reply: "x".repeat(1001) },
  },
  "GET /api/lead-purchases": { gets: business() },
  "GET /api/my-purchased-leads": { gets: business() },
  "GET /api/lead-purchases/:id": { gets: business(200, 404) },
  "PATCH /api/lead-purchases/:id/customer": {
    gets: business(200, 404),
    schema: customerCorrectionSchema,
    body: () => ({ customerPhone: "0491 570 157" }),
    required: [],
    wrong: {
      customerName: "  ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "x".repeat(201),
    },
  },
  "POST /api/lead-purchases/:id/contacts": {
    gets: business(200, 404),
    refusesImpersonation: true,
    schema: contactSchema,
    body: () => ({ outcome: "no_answer", entryKey: crypto.randomUUID() }),
    required: ["outcome", "entryKey"],
    wrong: { outcome: "accepted_lead", entryKey: "short", at: -1, madeBy: "x".repeat(65) },
  },
  "POST /api/lead-purchases/:id/answers-seen": {
    gets: business(200, 404),
    schema: answersSeenSchema,
    body: () => ({ upTo: 1 }),
    required: ["upTo"],
    wrong: { upTo: "now" },
  },
  "POST /api/lead-purchases/:id/archive": { gets: owner(200, 404) },
  "POST /api/lead-purchases/:id/restore": { gets: owner(200, 404) },
  // Each caller deletes a new manual purchase. Super admins may delete from every business's pipeline.
  "DELETE /api/lead-purchases/:id": { gets: [401, 403, 204, 404, 403, 204] },
  "GET /api/pipeline": {
    gets: business(),
    examples: [
      "/api/pipeline?limit=10&sort=newest",
      "/api/pipeline?limit=10&sort=oldest",
      "/api/pipeline?limit=10&sort=updated",
      "/api/pipeline?limit=10&sort=next",
      "/api/pipeline?tile=called",
      "/api/pipeline?tile=final",
      "/api/pipeline?limit=20",
      "/api/pipeline?q=anna&service=lawn_care&suburb=Leichhardt",
    ],
  },
  "GET /api/pipeline/changes": {
    gets: business(),
    examples: ["/api/pipeline/changes?since=1"],
  },
  "GET /api/pipeline/export.csv": { gets: owner() },
  "GET /api/figures": { gets: owner() },
  "GET /api/figures/standing": { gets: owner() },
  "GET /api/figures/calls": {
    gets: owner(),
    examples: ["/api/figures/calls?limit=5", "/api/figures/calls?limit=5&show=late&period=all"],
  },
  "PATCH /api/lead-purchases/:id/sales-stage": {
    gets: business(200, 404),
    refusesImpersonation: true,
    schema: purchaseUpdateSchema,
    body: () => ({ salesStage: "called" }),
    required: [],
    wrong: {
      salesStage: "finalised",
      undoes: "finalised",
      salesNotes: "x".repeat(20_001),
      customerPaymentAmount: "12.345",
      nextActionAt: "tomorrow",
      nextActionNote: "x".repeat(201),
      assignedTo: "x".repeat(65),
      notesVersion: -1,
      changeKey: "short",
      was: { salesStage: "finalised" },
      madeBy: "x".repeat(65),
    },
  },
} satisfies RouteTable;
