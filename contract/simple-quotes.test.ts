import { expect, test } from "vitest";

import { leadRequestSchema } from "./leads.ts";
import { fieldErrors } from "./problem.ts";
import { serviceQuoteSchema, servicesQuoteSchema, toLeadRequest } from "./simple-quotes.ts";

const CONTACT = { customerName: "Jo", customerPhone: "0491570006", customerAddress: "1 A St" };

test("each short form uses the specification's error messages", () => {
  const empty = {
    customerName: "J",
    customerPhone: "123456789",
    customerAddress: "1 A",
    serviceNeed: "mow it",
  };
  expect(fieldErrors(serviceQuoteSchema.safeParse(empty).error!.issues)).toEqual({
    customerName: "Name must be at least 2 characters",
    customerPhone: "Phone number must be at least 10 digits",
    customerAddress: "Please provide a valid address",
    serviceNeed: "Please describe what you need",
  });
  expect(
    fieldErrors(servicesQuoteSchema.safeParse({ ...CONTACT, servicesWanted: [] }).error!.issues),
  ).toEqual({
    servicesWanted: "Please select at least one service",
  });
});

test("values at the limits are accepted", () => {
  expect(serviceQuoteSchema.safeParse({ ...CONTACT, serviceNeed: "0123456789" }).success).toBe(true);
  expect(servicesQuoteSchema.safeParse({ ...CONTACT, servicesWanted: ["lawn_mowing"] }).success).toBe(true);
});

test("a short form becomes a full request", () => {
  const request = toLeadRequest(CONTACT, ["lawn_mowing", "garden_cleanup"]);
  expect(request).toEqual({
    customerName: "Jo",
    customerPhone: "0491570006",
    customerAddress: "1 A St",
    stated: [],
    customerEmail: "",
    serviceType: ["lawn_mowing", "garden_cleanup"],
    propertyType: "residential",
    propertySize: "medium",
    urgency: "within_week",
    frequency: "one_off",
    budgetConcern: "somewhat_important",
    previousExperience: "first_time",
    specificRequests: "Services requested: Lawn mowing, Garden cleanup",
    lawnCondition: "average",
    hasSlopes: false,
    hasPets: false,
    preferredTime: "anytime",
    additionalServices: [],
  });
  expect(leadRequestSchema.safeParse(request).success).toBe(true);
  const answers = { ...CONTACT, serviceNeed: "Hedges along the drive" };
  expect(toLeadRequest(answers, ["hedge_trimming"], ["edging"])).toMatchObject({
    specificRequests: "Hedges along the drive",
    additionalServices: ["edging"],
  });
});
