/** Super admins for tests of the admin lists. */
import { expect } from "vitest";

import { call, callerFor, db } from "./client.ts";
import { insertUser } from "./world.ts";

/** Starts an impersonation, which ends the admin's session. Returns the new session's `Cookie` header. */
export async function startImpersonation(adminCookie: string, targetUserId: string): Promise<string> {
  const body = { targetUserId };
  const response = await call("POST", "/api/auth/impersonate", { cookie: adminCookie, body });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0]!.split(";", 1)[0]!;
}

/** Inserts a super admin. Returns functions that read the admin lists. */
export async function insertAdmin() {
  const admin = await insertUser(db, { isSuperAdmin: true, firstName: "Alex", lastName: "Admin" });
  const asAdmin = await callerFor(admin.id);

  /** Returns one page of a list. */
  async function list<Row>(path: string): Promise<Row[]> {
    const response = await asAdmin("GET", path);
    expect(response.status).toBe(200);
    return (await response.json()) as Row[];
  }

  /** Returns the rows of all pages of a list. */
  async function pages<Row>(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let next: string | null = path; next;) {
      const response: Response = await asAdmin("GET", next);
      rows.push(...((await response.json()) as Row[]));
      next = /<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1] ?? null;
    }
    return rows;
  }

  return { admin, asAdmin, list, pages };
}
