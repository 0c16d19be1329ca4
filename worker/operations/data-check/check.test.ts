import { eq, like } from "drizzle-orm";
import { expect, test } from "vitest";

import { attention, leads, users } from "../../platform/db/schema.ts";
import { db, testEnv, testContext } from "../../../testing/client.ts";
import { runJob } from "../../../testing/operator.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";
import { checkDataPage } from "./commands.ts";

test("unknown stored values are named, counted and reported once; known ones are not", async () => {
  const [one, two] = [await insertPendingLead(db), await insertPendingLead(db)];
  expect((await runJob({ kind: "check_data", input: {} })).result).not.toHaveProperty(
    'leads.urgency "someday"',
  );
  await testEnv.DB.prepare("UPDATE leads SET urgency = 'someday', service_type = json(?) WHERE id IN (?, ?)")
    .bind('["lawn_mowing", "roof_garden"]', one.id, two.id)
    .run();
  const { user } = { user: await insertUser(db) };
  await db
    .update(users)
    .set({ watchedRegions: ["atlantis"] })
    .where(eq(users.id, user.id));
  for (const _ of [1, 2]) {
    const job = await runJob({ kind: "check_data", input: {} });
    expect(job).toMatchObject({ state: "done" });
    expect(job.result).toMatchObject({
      'leads.urgency "someday"': 2,
      'leads.service_type "roof_garden"': 2,
      'users.watched_regions "atlantis"': 1,
    });
  }
  const raised = await db.select().from(attention).where(like(attention.subjectId, "leads.%"));
  expect(raised.map(({ kind, subjectId }) => [kind, subjectId]).toSorted()).toEqual([
    ["unknown_value", "leads.service_type=roof_garden"],
    ["unknown_value", "leads.urgency=someday"],
  ]);
});

test("the data is checked in bounded parts, by table name", async () => {
  await insertPendingLead(db);
  const seen: string[] = [];
  for (let progress: unknown = null; ;) {
    const step = await checkDataPage(testContext, progress, Date.now());
    if (!step.progress) break;
    seen.push(step.progress.table);
    progress = step.progress;
  }
  expect(seen).toContain("lead_purchases");
  expect(new Set(seen).size).toBe(seen.length);
  // The table belongs to a rolled-back release. This run ends, and the next run starts again.
  const gone = await checkDataPage(testContext, { table: "gone", after: 3 }, Date.now());
  expect(gone).toEqual({ progress: null, counts: {} });
  expect(await db.select().from(leads).limit(1)).toHaveLength(1);
});
