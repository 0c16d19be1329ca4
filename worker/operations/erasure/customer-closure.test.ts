/** A customer deletes their account and their requests on the page with their requests, without our help. */
import { expect, test } from "vitest";

import type { MyData } from "../../../contract/my-requests.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { runSweeps } from "../../../testing/drivers.ts";
import { auditEntries, leadRow, setLead, userRow } from "../../../testing/facts.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertUser, PASSWORD, quoteRequest } from "../../../testing/world.ts";

const CLOSURE = "/api/user/closure";
const EXPORT = "/api/my-requests/export.json";

async function send(email: string, cookie?: string): Promise<string> {
  const body = quoteRequest({ customerEmail: email });
  const response = await call("POST", "/api/leads", { body, ...(cookie && { cookie }) });
  expect(response.status).toBe(201);
  return (await response.json<{ id: string }>()).id;
}

test("a customer reads what we store, then deletes the account with its requests", async () => {
  const email = "mia@example.com";
  const customer = await insertUser(db, { userType: "customer", username: "mia", email });
  const as = await callerFor(customer.id);
  const [open, withdrawn] = [await send(email, as.cookie), await send("other@example.com", as.cookie)];
  await setLead(withdrawn, { status: "withdrawn" });
  // Sent by a person who is not signed in. The customer may not have sent it.
  const other = await send(email);
  const file = await as("GET", EXPORT);
  expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="my-data\.json"/);
  const told = await file.json<MyData>();
  expect(told.account).toMatchObject({ username: "mia", email });
  expect(told.requests).toHaveLength(2);
  const { customerName, customerAddress, specificRequests } = await leadRow(open);
  expect(told.requests[0]).toMatchObject({ customerName, customerAddress, specificRequests });

  const { sent, changed } = mailbox();
  const body = { password: PASSWORD };
  const closed = await callWith(changed, "POST", CLOSURE, { cookie: as.cookie, body });
  expect(closed.status).toBe(200);
  expect(closed.headers.getSetCookie().some((cookie) => cookie.includes("Max-Age=0"))).toBe(true);
  expect(sent).toMatchObject([{ to: email, subject: "Your Naturestrip account is closed" }]);
  expect(sent[0]!.text).toContain("the requests sent while signed in");
  expect(sent[0]!.text).not.toContain("team");
  expect((await as("GET", "/api/auth/me")).status).toBe(401);

  await runSweeps();
  for (const id of [open, withdrawn])
    expect(await leadRow(id)).toMatchObject({
      customerName: "Erased customer",
      customerPhone: "",
      emailKey: null,
    });
  expect(await leadRow(other)).toMatchObject({ customerName, erasedAt: null });
  expect(await userRow(customer.id)).toMatchObject({
    username: `erased-${customer.id}`,
    email: null,
    isActive: false,
  });
  const trail = await auditEntries(customer.id);
  expect(trail.map(({ action, actorUserId }) => [action, actorUserId])).toEqual(
    expect.arrayContaining([
      ["user.closed", customer.id],
      ["user.erased", null],
    ]),
  );
});

test("a customer who has not confirmed the email deletes the requests sent while signed in", async () => {
  const customer = await insertUser(db, {
    userType: "customer",
    email: null,
    pendingEmail: "new@example.com",
  });
  const as = await callerFor(customer.id);
  const id = await send("new@example.com", as.cookie);
  expect((await as("POST", CLOSURE, { password: PASSWORD })).status).toBe(200);
  await runSweeps();
  expect(await leadRow(id)).toMatchObject({ customerName: "Erased customer" });
});
