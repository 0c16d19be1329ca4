import { expect, test } from "vitest";

import { erase } from "../../testing/drivers.ts";
import { auditEntries, leadRow } from "../../testing/facts.ts";
import { runJob } from "../../testing/operator.ts";
import { insertProvider, openSocket } from "../../testing/sockets.ts";
import { textWithoutIds } from "../../testing/text-without-ids.ts";

const FORM = {
  customerName: "Walter Wiese",
  customerPhone: "0491 570 006",
  customerEmail: "",
  customerAddress: "3 Boronia Place, Manly NSW 2095",
  preferredLocation: "",
  serviceType: ["lawn_care"],
  urgency: "within_week",
};

type Added = { id: string; leadId: string };

test("a manual lead is a free purchase and is never listed", async () => {
  const { user, as } = await insertProvider();
  const response = await as("POST", "/api/leads/manual", FORM);
  expect(response.status).toBe(201);
  const added = (await response.json()) as Added;
  expect(added).toMatchObject({
    customerName: "Walter Wiese",
    customerEmail: null,
    suburbName: "Manly",
    amountPaid: "0.00",
    paymentStatus: "completed",
    mode: "manual",
    salesStage: "accepted_lead",
    propertyType: "residential",
    propertySize: "medium",
    frequency: "one_off",
  });
  const lead = await leadRow(added.leadId);
  expect(lead).toMatchObject({ listingState: "private", source: "manual", region: "northern-beaches" });
  const { as: rival } = await insertProvider();
  for (const path of ["/api/leads", "/api/my-purchased-leads"]) {
    expect(await (await rival("GET", path)).text()).not.toContain("Walter");
  }
  const trail = await auditEntries(added.id);
  expect(trail).toMatchObject([{ action: "purchase.added_manually", actorUserId: user.id }]);
  expect(textWithoutIds(trail)).not.toMatch(/Walter|0491/);
});

test("a manual lead states only what its provider chose", async () => {
  const { as } = await insertProvider();
  const add = async (form: object) =>
    (await as("POST", "/api/leads/manual", { ...FORM, ...form })).json<object>();
  expect(await add({ urgency: "flexible" })).toMatchObject({ stated: [] });
  const chosen = { urgency: "urgent", frequency: "weekly" };
  expect(await add(chosen)).toMatchObject({ stated: ["urgency", "frequency"] });
});

test("a manual lead's customer is found by number and email for their erasure", async () => {
  const { as } = await insertProvider();
  const form = { ...FORM, customerPhone: "0491 570 313", customerEmail: "Walter@Example.com" };
  const { leadId } = (await (await as("POST", "/api/leads/manual", form)).json()) as Added;
  for (const person of [
    { phone: "+61 491 570 313", email: null },
    { phone: null, email: "walter@example.com" },
  ]) {
    const job = await runJob({ kind: "preview_erasure", input: person });
    expect(job.result).toMatchObject({ leads: 1 });
  }
  await erase({ email: "walter@example.com" });
  expect((await leadRow(leadId)).erasedAt).not.toBeNull();
});

test("only the name, the phone, a service and the urgency are required", async () => {
  const { as } = await insertProvider();
  const { customerName, customerPhone, serviceType, urgency } = FORM;
  const response = await as("POST", "/api/leads/manual", {
    customerName,
    customerPhone,
    serviceType,
    urgency,
  });
  expect(await response.json()).toMatchObject({ customerAddress: "", suburbName: null });
});

test("invalid fields are refused with the form's messages", async () => {
  const { as } = await insertProvider();
  const wrong = { customerName: "", customerPhone: "12345", customerEmail: "walter", serviceType: [] };
  const refused = await as("POST", "/api/leads/manual", { ...FORM, ...wrong });
  expect(await refused.json()).toMatchObject({
    status: 400,
    errors: {
      customerName: "Customer name is required",
      customerPhone: "Phone number is required",
      customerEmail: "Valid email is required",
      serviceType: "Service type is required",
    },
  });
});

test("a form sent twice creates one lead, and another business cannot reuse its id", async () => {
  const { as } = await insertProvider();
  const form = { ...FORM, submissionId: crypto.randomUUID() };
  const [first, second] = await Promise.all([1, 2].map(() => as("POST", "/api/leads/manual", form)));
  const { id } = (await first!.json()) as Added;
  expect(((await second!.json()) as Added).id).toBe(id);
  const { as: rival } = await insertProvider();
  const refused = await rival("POST", "/api/leads/manual", form);
  expect(await refused.json()).toMatchObject({ status: 400, errors: { submissionId: expect.any(String) } });
});

test("the business's other windows get the new lead", async () => {
  const { user, as } = await insertProvider();
  const room = await openSocket("/api/business/live", as.cookie);
  const { id } = (await (await as("POST", "/api/leads/manual", FORM)).json()) as Added;
  expect(await room.frame(1)).toMatchObject({ type: "purchase_changed", purchaseId: id, byUserId: user.id });
});
