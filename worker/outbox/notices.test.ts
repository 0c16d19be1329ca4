/** A user gets an email when another user acts on their account. */
import { expect, test } from "vitest";

import { callerFor, callWith, db } from "../../testing/client.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertTeamMember, insertUser } from "../../testing/world.ts";

const admin = await insertUser(db, { isSuperAdmin: true, email: "notices-admin@example.com" });
const { cookie } = await callerFor(admin.id);

const adminLink = (changed: Parameters<typeof callWith>[0], id: string) =>
  callWith(changed, "POST", `/api/super-admin/providers/${id}/password-link`, { cookie });

test("the account's owner gets an email about an admin's password link, without the link", async () => {
  const { sent, changed } = mailbox();
  const provider = await insertUser(db, { email: "linked@example.com", firstName: "Lena" });
  const response = await adminLink(changed, provider.id);
  expect(response.status).toBe(201);
  const { path } = (await response.json()) as { path: string };
  expect(sent).toMatchObject([
    { to: "linked@example.com", text: expect.stringContaining("Our support team created a one-time link") },
  ]);
  expect(sent[0]!.text).toContain("Hello Lena,");
  expect(sent[0]!.text).not.toContain(path.split("/").at(-1)!);
});

test("the team member gets an email about an owner's password link", async () => {
  const { sent, changed } = mailbox();
  const owner = await insertUser(db);
  const member = await insertTeamMember(db, owner, { email: "notified-member@example.com" });
  const path = `/api/team-members/${member.id}/password-link`;
  const response = await callWith(changed, "POST", path, { cookie: (await callerFor(owner.id)).cookie });
  expect(response.status).toBe(201);
  expect(sent).toMatchObject([
    {
      to: "notified-member@example.com",
      text: expect.stringContaining("The owner of your business created"),
    },
  ]);
});

test("an account without an address gets no notice, nor does the admin's own account", async () => {
  const { sent, changed } = mailbox();
  for (const id of [(await insertUser(db)).id, admin.id]) {
    expect((await adminLink(changed, id)).status).toBe(201);
  }
  expect(sent).toEqual([]);
});

test("a password link is issued even if email fails or is not configured", async () => {
  const provider = await insertUser(db, { email: "unreached@example.com" });
  for (const changed of [mailbox({ isFailing: true }).changed, {}]) {
    expect((await adminLink(changed, provider.id)).status).toBe(201);
  }
});
