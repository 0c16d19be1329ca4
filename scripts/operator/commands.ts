/** All operator commands. `scripts/operate.ts` runs them. */
import { spawnSync } from "node:child_process";

import { sydneyDay } from "../../contract/sydney-time.ts";
import { ROOT, TOOLS_ENV } from "../../testing/tools.ts";
import { decide, describeClaims, readDecisions, writeDecisions } from "../claims-file.ts";
import type { Arguments } from "../command.ts";
import { newPushKeys } from "../vapid.ts";
import { BACKUPS } from "./backup-commands.ts";
import type { OperatorCommands } from "./command-types.ts";
import { MARKET } from "./market-commands.ts";
import { PEOPLE } from "./people-commands.ts";
import { UPKEEP } from "./upkeep-commands.ts";

/** The drills by name. Each drill loads its own product. */
const DRILLS: Readonly<Record<string, () => Promise<void>>> = {
  backup: async () => (await import("../drills/back-up.ts")).reportBackup(),
  reproject: async () => (await import("../drills/reproject.ts")).reportReprojection(),
  restore: async () => (await import("../drills/restore.ts")).reportRestore(),
  rollback: async () => (await import("../drills/roll-back.ts")).reportRollback(),
};

async function drill({ positionalArgs: [name = ""] }: Arguments): Promise<void> {
  const work = DRILLS[name];
  if (!work) throw new Error(`Name one of: ${Object.keys(DRILLS).join(", ")}`);
  await work();
}

/** Lists the site's claims, or stores a decision about one. */
async function claims({ positionalArgs: [act, what], option }: Arguments): Promise<void> {
  const before = readDecisions();
  if (act === undefined) console.log(describeClaims(before));
  else
    writeDecisions(
      decide(before, { decisionAction: act, target: what, by: option("by"), on: sydneyDay(Date.now()) }),
    );
}

/** Prints production's log until stopped. */
async function logs(args: Arguments): Promise<void> {
  const search = args.option("search");
  const tail = ["tail", "--format=json", ...(search === null ? [] : [`--search=${search}`])];
  const { status } = spawnSync(`${ROOT}node_modules/.bin/wrangler`, tail, {
    cwd: ROOT,
    env: { ...process.env, ...TOOLS_ENV },
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

export const COMMANDS: OperatorCommands = {
  ...PEOPLE,
  ...MARKET,
  ...UPKEEP,
  ...BACKUPS,
  drill: {
    summary: "Rehearses a backup, a reprojection, a restore or a rollback on this machine",
    positionalArgs: [Object.keys(DRILLS).join("|")],
    runLocally: drill,
  },
  claims: {
    summary: "Lists the site's claims, or confirms or hides one",
    more: "An undecided claim shows what the records prove, or nothing. The next deploy applies the decisions.",
    options: { by: ["text", "who confirms it"] },
    positionalArgs: ["confirm|hide?", "claim?"],
    runLocally: claims,
  },
  logs: {
    summary: "Shows production's live log",
    options: { search: ["text", "shows only lines with this text, such as a request ID"] },
    runLocally: logs,
  },
  "push-keys": {
    summary: "Prints new notification keys for the secret PUSH_KEYS",
    runLocally: async () => console.log(newPushKeys()),
  },
};
