/** The audit log: access, filters and export. No user can change it. */
import { expect, test } from "vitest";

import type { AuditEntry } from "../../../contract/audit.ts";
import { auditLog } from "../../tables.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { insertUser } from "../../../testing/world.ts";

const { admin, asAdmin, list, pages } = await insertAdmin();
const findLines = (query: string) => list<AuditEntry>(`/api/super-admin/audit?${query}`);

test("the log can be filtered by user, action, subject and time, and shows current names", async () => {
  const target = await insertUser(db, { firstName: "Tara", lastName: "Target" });
  const path = `/api/super-admin/providers/${target.id}`;
  for (const isActive of [false, true]) await asAdmin("PATCH", path, { isActive });
  const [latest, first] = await findLines(`subjectId=${target.id}`);
  expect(latest).toMatchObject({
    action: "user.activate",
    actor: { id: admin.id, name: "Alex Admin" },
    as: null,
    before: { isActive: false },
    after: { isActive: true },
  });
  expect(first!.action).toBe("user.deactivate");
  expect(await findLines(`subjectId=${target.id}&action=user.deactivate`)).toHaveLength(1);
  expect(await findLines(`subjectId=${target.id}&action=user`)).toHaveLength(2);
  expect(await findLines(`subjectId=${target.id}&action=use`)).toEqual([]);
  expect(await findLines(`subjectId=${target.id}&from=${Date.now() + 1_000}`)).toEqual([]);
  expect(await findLines(`subjectId=${target.id}&to=${first!.at}`)).toEqual([]);
  expect((await findLines(`userId=${admin.id}`)).length).toBeGreaterThanOrEqual(2);
  expect(await pages<AuditEntry>(`/api/super-admin/audit?subjectId=${target.id}&limit=1`)).toHaveLength(2);
});

test("the whole log is exported, without cells that a spreadsheet would run", async () => {
  const target = await insertUser(db, {
    firstName: "=HYPERLINK(1)",
    lastName: 'Quote "Q"',
    isSuperAdmin: true,
  });
  const asTarget = await callerFor(target.id);
  const other = await insertUser(db);
  await asTarget("PATCH", `/api/super-admin/providers/${other.id}`, { isActive: false });
  const response = await asAdmin("GET", `/api/super-admin/audit.csv?subjectId=${other.id}`);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toContain("attachment");
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Without the byte order mark, Excel reads names as Latin-1.
  expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
  const [head, line, end] = new TextDecoder().decode(bytes).split("\r\n");
  expect(head).toBe(
    '"id","at","who","who_id","as","as_id","action","subject_type","subject_id","before","after","request_id"',
  );
  expect(line).toContain(`"'=HYPERLINK(1) Quote ""Q""","${target.id}"`);
  expect(line).toContain('"{""isActive"":false}"');
  expect(end).toBe("");
});

const line = (subjectType: string, subjectId: string) =>
  db.insert(auditLog).values({ at: 1, action: "test.line", subjectType, subjectId });

test("the log can be filtered by region, with entries about the region and its leads", async () => {
  await line("lead", "lead_central-coast_00000000000000000001");
  await line("lead", "lead_central-and-far-west_00000000000000000001");
  await line("region", "central-coast");
  const found = await findLines("region=central-coast&action=test.line");
  expect(found.map(({ subjectId }) => subjectId).toSorted()).toEqual([
    "central-coast",
    "lead_central-coast_00000000000000000001",
  ]);
});

test("the log cannot be changed, even with access to the database", async () => {
  await expect(db.update(auditLog).set({ action: "nothing" })).rejects.toThrow(/./);
  await expect(db.delete(auditLog)).rejects.toThrow(/./);
});
