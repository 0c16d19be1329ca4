import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const OPERATOR_JOB_STATES = ["waiting", "done", "failed"] as const;

/**
 * Jobs that an operator enqueues for the Worker, because only the Worker can access the exchanges and the secrets. The
 * operator inserts rows with `wrangler d1 execute`, and the cron runs them. Anyone with write access to D1 already
 * controls everything, so no route or token is needed. docs/decisions has the reasons.
 */
export const operatorJobs = sqliteTable(
  "operator_jobs",
  {
    id: text().primaryKey(),
    /** No CHECK, so that kinds can change without rebuilding the table. */
    kind: text().notNull(),
    /** The job's input. It may contain personal data, so it is cleared when the job ends. */
    input: text({ mode: "json" }),
    state: text({ enum: OPERATOR_JOB_STATES }).notNull().default("waiting"),
    /** Where a long job resumes. No personal data. */
    progress: text({ mode: "json" }),
    /** Counts and reasons for the operator. No personal data. */
    result: text({ mode: "json" }),
    /** One run leases the job until this time. */
    leasedUntil: integer("leased_until").notNull().default(0),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("operator_jobs_state").on(table.state, table.createdAt)],
);
