/** The floors of `worker/`: a file imports only from its own room and from rooms on lower floors. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/**
 * Rooms from the lowest floor up. An entry is a folder of `worker/`, or a file that stands on another floor than its
 * folder. The longest entry that fits decides.
 */
const FLOORS: readonly (readonly [room: string, entries: readonly string[]])[] = [
  [
    "platform",
    [
      "platform/",
      "db/",
      "edge-cache/",
      "caller.ts",
      "csv.ts",
      "env.ts",
      "errors.ts",
      "ids.ts",
      "log.ts",
      "loopback.ts",
      "network.ts",
      "patience.ts",
      "turns.ts",
      "middleware/body.ts",
      "middleware/cursors.ts",
      "middleware/paging.ts",
      "middleware/rate-limit.ts",
      "middleware/same-origin.ts",
    ],
  ],
  ["outbox", ["outbox/"]],
  ["live", ["live/"]],
  [
    "identity",
    [
      "account/",
      "audit/",
      "auth/",
      "impersonation/",
      "passkeys/",
      "team/",
      "middleware/access.ts",
      "middleware/caller.ts",
      "providers/note-commands.ts",
      "providers/queries.ts",
    ],
  ],
  ["exchange", ["exchange/"]],
  ["leads", ["bookings/", "lead-search/", "leads/", "quarantine/", "redaction/", "suburbs/", "visits/"]],
  [
    "selling",
    [
      "payments/",
      "purchases/buy-commands.ts",
      "purchases/buy-routes.ts",
      "purchases/give-commands.ts",
      "purchases/sold-queries.ts",
      "purchases/rules.ts",
      "purchases/views.ts",
    ],
  ],
  ["pipeline", ["answers/", "duds/", "figures/", "leads/manual-commands.ts", "pipeline/", "purchases/"]],
  ["messages", ["messages/"]],
  [
    "operations",
    [
      "admin/",
      "attention/",
      "comparison/",
      "data-check/",
      "erasure/",
      "exchange/reproject-commands.ts",
      "health/",
      "leads/admin-commands.ts",
      "leads/admin-routes.ts",
      "market-figures/",
      "operator/",
      "provider-pages/",
      "providers/",
      "reconciliation/",
      "relisting/",
      "rewinding/",
    ],
  ],
  ["durable-objects", ["durable-objects/"]],
  [
    "entry",
    [
      "api.ts",
      "cron.ts",
      "index.ts",
      "live/routes.ts",
      "middleware/",
      "pages.ts",
      "server.ts",
      "trouble-page.ts",
    ],
  ],
];

/** The floor a file stands on, and its room; null for a file that no entry names. */
function floorOf(file: string): { floor: number; room: string } | null {
  const path = file.slice("worker/".length);
  const found = FLOORS.flatMap(([room, entries], floor) =>
    entries
      .filter((entry) => path === entry || (entry.endsWith("/") && path.startsWith(entry)))
      .map((entry) => ({ floor, room, entry })),
  ).toSorted((a, b) => b.entry.length - a.entry.length);
  return found[0] ?? null;
}

test("every file of worker/ stands on a floor, and imports lead to the same room or to a lower floor", () => {
  const files = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) => !file.includes(".test."));
  expect(files.length, "the test sees the files").toBeGreaterThan(250);
  expect(files.filter((file) => !floorOf(file))).toEqual([]);
  const upward = new Set<string>();
  for (const file of files) {
    const from = floorOf(file)!;
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const [, path] of source.matchAll(/(?:from|import|import\()\s*"(\.[^"?]+\.ts)"/g)) {
      const target = join(dirname(file), path!);
      const to = target.startsWith("worker/") ? floorOf(target) : null;
      if (to && to.floor > from.floor) upward.add(`${file} → ${target} (${from.room} → ${to.room})`);
    }
  }
  expect([...upward].toSorted()).toEqual([]);
});
