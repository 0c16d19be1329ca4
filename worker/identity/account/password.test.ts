import { expect, test } from "vitest";

import { call, callerFor } from "../../../testing/client.ts";
import { auditEntries } from "../../../testing/facts.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { PASSWORD } from "../../../testing/world.ts";

const form = (newPassword: string, currentPassword = PASSWORD) => ({
  currentPassword,
  newPassword,
  confirmPassword: newPassword,
});

test("a new password ends all other sessions; the current session continues", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  const { as: stranger } = await insertProvider();
  expect((await as("PUT", "/api/user/password", form("a new password"))).status).toBe(200);
  expect((await other("GET", "/api/auth/me")).status).toBe(401);
  expect((await as("GET", "/api/auth/me")).status).toBe(200);
  expect((await stranger("GET", "/api/auth/me")).status).toBe(200);

  const login = (password: string) =>
    call("POST", "/api/auth/login", { body: { username: user.username, password } });
  expect((await login("a new password")).status).toBe(200);
  expect((await login(PASSWORD)).status).toBe(401);
  const [entry] = await auditEntries(user.id);
  expect(entry).toMatchObject({ action: "user.password_changed", actorUserId: user.id });
  expect(JSON.stringify(entry)).not.toContain("a new password");
});

test("without the current password nothing changes", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  const refused = await as("PUT", "/api/user/password", form("a new password", "a guess"));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    errors: { currentPassword: "Current password is incorrect" },
  });
  expect((await other("GET", "/api/auth/me")).status).toBe(200);
});

test("different new passwords are refused at the second field", async () => {
  const { as } = await insertProvider();
  const body = { ...form("a new password"), confirmPassword: "a new passwrod" };
  const refused = await as("PUT", "/api/user/password", body);
  expect(await refused.json()).toMatchObject({
    status: 400,
    errors: { confirmPassword: "Passwords don't match" },
  });
});
