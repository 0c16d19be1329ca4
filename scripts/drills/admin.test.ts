/** Tests the operator command that creates super admins, on a separate database. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, inject, test, vi } from "vitest";

import { writeConfig } from "../../testing/product/local-product.ts";
import { ROOT, run } from "../../testing/tools.ts";
import { readArguments } from "../command.ts";
import { kindsOf } from "../operator/command-types.ts";
import { query, type Target } from "../operator/d1.ts";
import { PEOPLE } from "../operator/people-commands.ts";

const folder = mkdtempSync(join(tmpdir(), "naturestrip-admins-"));
cpSync(inject("emptyWorld"), join(folder, ".wrangler/state/v3"), { recursive: true });
const target: Target = { isRemote: false, config: writeConfig(folder), port: null };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command in a process of its own, as an operator does. */
const start = (...args: string[]) =>
  run("node", [`${ROOT}scripts/operate.ts`, "admin", ...args, `--config=${target.config}`]);

/** Runs the command in this process. @returns what it prints */
async function admin(...args: string[]): Promise<string> {
  const { work, options } = PEOPLE.admin;
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await work(target, readArguments({ name: "admin", options: kindsOf(options) }, args, {}));
    return log.mock.lastCall!.join(" ");
  } finally {
    log.mockRestore();
  }
}

test("a super admin is created once, found by email too, never twice, and the right can be revoked", async () => {
  expect(await start("--username=alex", "--email=alex@example.com")).toMatch(
    /^On this machine:\nCreated alex, a super admin\. One-time password, shown only here: \S{16}\n/,
  );
  expect(await admin("--username=Alex@Example.com")).toContain("alex is already a super admin.");
  await expect(admin("--username=sam", "--email=alex@example.com")).rejects.toThrow(
    "alex@example.com already belongs to alex",
  );
  await expect(admin("--username=sam@example.com")).rejects.toThrow("To create one, use --username");
  await expect(admin("--username=sam;drop")).rejects.toThrow(
    "sam;drop is not a valid username: Please use only letters",
  );
  await query(
    target,
    "INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) SELECT 'session_a', 'hash', id, 0, 0, 0 FROM users",
  );
  expect(await admin("--revoke=alex@example.com")).toContain(
    "alex is no longer a super admin, and is signed out. The account stays an active provider, which can sign in and buy leads: deactivate it under Providers if that person leaves. There are no super admins left: create one soon.",
  );
  expect(
    await query(
      target,
      "SELECT username, is_super_admin, (SELECT count(*) FROM sessions) AS sessions, (SELECT group_concat(action) FROM audit_log) AS trail FROM users",
    ),
  ).toEqual([
    {
      username: "alex",
      is_super_admin: 0,
      sessions: 0,
      trail: "user.created,user.super_admin_revoked",
    },
  ]);
  const both = await Promise.allSettled([start("--username=sam"), start("--username=sam")]);
  const outcomes = both.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)));
  expect(outcomes.filter((text) => text.includes("Created sam"))).toHaveLength(1);
  expect(outcomes.find((text) => !text.includes("Created sam"))).toMatch(
    /was created at the same moment\. Run the command again\.|sam is already a super admin\./,
  );
  expect(await admin("--remove-passkeys=alex")).toContain(
    "alex has no passkey and signs in with the password alone.",
  );
  await expect(admin("--revoke=alex", "--username=sam")).rejects.toThrow("Use one of --username=…");
  await expect(admin("--revoke=no-one")).rejects.toThrow("No user has the username or email no-one.");
});
