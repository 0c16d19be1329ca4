/** All operator commands. `operate.ts` runs them. */
import { sydneyDay } from "../../contract/sydney-time.ts";
import { decide, describeClaims, readDecisions, writeDecisions } from "../claims-file.ts";
import type { Arguments } from "../command.ts";
import { BACKUP } from "./backup-commands.ts";
import type { OperatorCommands } from "./command-types.ts";
import { MARKET } from "./market-commands.ts";
import { PEOPLE } from "./people-commands.ts";
import { UPKEEP } from "./upkeep-commands.ts";

/** Lists the site's claims, or stores a decision about one. */
async function claims({ positionalArgs: [act, what], option }: Arguments): Promise<void> {
  const before = readDecisions();
  if (act === undefined) console.log(describeClaims(before));
  else
    writeDecisions(
      decide(before, { decisionAction: act, target: what, by: option("by"), on: sydneyDay(Date.now()) }),
    );
}

export const COMMANDS: OperatorCommands = {
  ...PEOPLE,
  ...MARKET,
  ...UPKEEP,
  ...BACKUP,
  claims: {
    summary: "Lists the site's claims, or confirms or hides one",
    more: "An undecided claim shows what the records prove, or nothing. The next deploy applies the decisions.",
    options: { by: ["text", "who confirms it"] },
    positionalArgs: ["confirm|hide?", "claim?"],
    runLocally: claims,
  },
};
