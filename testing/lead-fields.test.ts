/**
 * Checks that the form asks for every field of a request, and that a bought lead shows every field to the
 * provider.
 */
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { leadRequestSchema, leadSummarySchema, QUOTE_STEPS } from "../contract/leads.ts";
import { centsToText, LEAD_PRICE_CENTS } from "../contract/money.ts";
import { jobSchema } from "../contract/request-links.ts";
import { LeadSummaryBox } from "../web/payments/lead-summary.tsx";
import { DetailsStep, PropertyStep, ServiceStep } from "../web/quotes/quote-steps.tsx";
import { JobForm } from "../web/requests/job-form.tsx";

const FIELDS = Object.keys(leadRequestSchema.shape);
const STEPS = [PropertyStep, ServiceStep, DetailsStep];

/** Fields that the form does not ask for, with the reason. */
const FIELDS_NOT_ASKED: Record<string, string> = {
  homepage: "the honeypot: hidden from people",
  startToken: "signed by the server when the form is first touched",
  turnstileToken: "given by Turnstile's widget",
  submissionId: "made once for each form, so that a repeated request makes one lead",
  suburbId: "known from the address or from the page",
  consentWording: "names the privacy wording above the button",
  stated: "the details that the visitor chose",
  preferredLocation: "asked by the dialog for a provider's own lead, where the address may be missing",
};

/** Fields that a lead does not show, with the reason. */
const FIELDS_NOT_SHOWN: Record<string, string> = {
  homepage: "screening only",
  startToken: "screening only",
  turnstileToken: "screening only",
  submissionId: "an id for the form, not for people",
  suburbId: "the suburb's name and postcode are shown",
  consentWording: "proof of consent, kept for the law",
  customerEmail: "a contact detail: its buyer sees it",
  customerAddress: "a contact detail: its buyer sees it, everybody else the suburb",
  addressSuburb: "joined to the address",
  addressPostcode: "joined to the address",
  contactMethod: "for the buyer, beside the number",
  contactTime: "for the buyer, beside the number",
};

/** Returns the names of a form's inputs. */
function namesIn(form: ReactElement): Set<string> {
  const html = renderToStaticMarkup(form);
  return new Set([...html.matchAll(/\bname="(\w+)"/g)].map(([, name]) => name!));
}

/** Returns the fields that a lead's details read. */
function fieldsShown(): Set<string> {
  const shown = new Set<string>();
  const lead = leadSummarySchema.parse({
    id: "lead_inner-west_3f9k2m7qxyz01234abcd",
    region: "inner-west",
    price: centsToText(LEAD_PRICE_CENTS),
    createdAt: 0,
    expiresAt: 1,
  });
  const watched = new Proxy(lead, {
    get(target, name) {
      shown.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  renderToStaticMarkup(createElement(LeadSummaryBox, { lead: watched }));
  return shown;
}

test("each step of the form asks for its own fields", () => {
  for (const [i, { fields }] of QUOTE_STEPS.entries())
    expect([...namesIn(createElement(STEPS[i]!, { values: {}, errors: {}, maps: null }))].toSorted()).toEqual(
      fields.toSorted(),
    );
});

test("the form for changes asks for every detail that the customer can change", () => {
  const names = namesIn(createElement(JobForm, { values: {}, errors: {}, place: null }));
  expect(Object.keys(jobSchema.shape).filter((name) => !names.has(name))).toEqual([]);
});

test("a step asks for every field of a request, or its exception has a reason", () => {
  const askedFields = new Set<string>(QUOTE_STEPS.flatMap(({ fields }) => fields));
  expect(FIELDS.filter((name) => !askedFields.has(name)).toSorted()).toEqual(
    Object.keys(FIELDS_NOT_ASKED).toSorted(),
  );
});

test("a lead shows every field of a request, or its exception has a reason", () => {
  const shown = fieldsShown();
  expect(FIELDS.filter((name) => !shown.has(name)).toSorted()).toEqual(
    Object.keys(FIELDS_NOT_SHOWN).toSorted(),
  );
});
