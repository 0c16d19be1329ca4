/** Requests that our forms can send pass. All others fail. */
import { assert, constantFrom, property, record, subarray } from "fast-check";
import { expect, test } from "vitest";

import { bookingSchema } from "../../../contract/bookings.ts";
import { PAGE_SERVICES, QUOTE_FORM_SERVICES, SERVICE_IDS } from "../../../contract/catalogue.ts";
import {
  ACCESS_KINDS,
  ADDITIONAL_SERVICES,
  BUDGET_CONCERNS,
  FREQUENCIES,
  GRASS_TYPES,
  LAWN_CONDITIONS,
  leadRequestSchema,
  PREFERRED_TIMES,
  PREVIOUS_EXPERIENCES,
  PROPERTY_SIZES,
  PROPERTY_TYPES,
  URGENCIES,
} from "../../../contract/leads.ts";
import { checkQuote, readQuote } from "../../../web/quotes/quote-check.ts";
import { checkSimpleQuote, readSimpleQuote } from "../../../web/quotes/simple-quote-check.ts";
import { leadRequestOf } from "../bookings/lead-request.ts";
import { bookingRequest, quoteRequest } from "../../../testing/world.ts";
import { couldSend } from "./shape-rules.ts";

const PERSON = {
  customerName: "Anna Brown",
  customerPhone: "02 5550 0123",
  customerAddress: "12 Banksia Street, Leichhardt",
};

function formOf(fields: Record<string, string | readonly string[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one);
  }
  return form;
}

const among = (values: readonly string[]) => constantFrom(...values);
const someOf = (values: readonly string[], least: number) => subarray([...values], { minLength: least });

test("the three-step form can send every choice", () => {
  const choices = record({
    propertyType: among(PROPERTY_TYPES),
    propertySize: among(PROPERTY_SIZES),
    grassType: among(GRASS_TYPES),
    lawnCondition: among(LAWN_CONDITIONS),
    accessRequirements: among(ACCESS_KINDS),
    serviceType: someOf(QUOTE_FORM_SERVICES, 1),
    urgency: among(URGENCIES),
    frequency: among(FREQUENCIES),
    preferredTime: among(PREFERRED_TIMES),
    additionalServices: someOf(ADDITIONAL_SERVICES, 0),
    budgetConcern: among(BUDGET_CONCERNS),
    previousExperience: among(PREVIOUS_EXPERIENCES),
    hasPets: among(["on", ""]),
  });
  assert(
    property(choices, (chosen) => {
      const { values: request } = checkQuote(readQuote(formOf({ ...PERSON, ...chosen })));
      expect(couldSend("quote", request!)).toBe(true);
    }),
  );
});

test("the short forms can send every choice", () => {
  assert(
    property(someOf(PAGE_SERVICES, 1), (servicesWanted) => {
      const form = formOf({ ...PERSON, servicesWanted });
      const { values: request } = checkSimpleQuote(readSimpleQuote(form), null);
      expect(couldSend("quote", leadRequestSchema.parse(request))).toBe(true);
    }),
  );
  for (const service of PAGE_SERVICES) {
    const form = formOf({ ...PERSON, serviceNeed: "All of the back yard" });
    const { values: request } = checkSimpleQuote(readSimpleQuote(form), service);
    expect(couldSend("quote", leadRequestSchema.parse(request)), service).toBe(true);
  }
});

test("the booking form can send every garden service", () => {
  for (const serviceType of PAGE_SERVICES) {
    for (const propertySize of PROPERTY_SIZES) {
      const booking = bookingSchema.parse(bookingRequest({ serviceType, propertySize }));
      expect(couldSend("booking", leadRequestOf(booking, "Leichhardt NSW 2040")!)).toBe(true);
    }
  }
});

test.each<[string, object]>([
  ["a service the form does not offer", { serviceType: ["lawn_care"] }],
  ["one service twice", { serviceType: ["lawn_mowing", "lawn_mowing"] }],
  ["one extra twice", { additionalServices: ["edging", "edging"] }],
  ["no grass, which is always chosen", { grassType: null }],
  ["a suburb, which is not asked for", { suburbId: "sub_leichhardt" }],
  ["the short forms' blanks with other answers", { accessRequirements: null, frequency: "weekly" }],
])("no form can send %s", (_, change) => {
  expect(couldSend("quote", leadRequestSchema.parse({ ...quoteRequest(), ...change }))).toBe(false);
});

test("no suburb's page offers services that only providers can add", () => {
  const offered: readonly string[] = PAGE_SERVICES;
  for (const serviceType of SERVICE_IDS.filter((id) => !offered.includes(id))) {
    const booking = bookingSchema.parse(bookingRequest({ serviceType }));
    expect(couldSend("booking", leadRequestOf(booking, "Leichhardt")!), serviceType).toBe(false);
  }
});
