/** Parses a restore's target, and the time from which to reread the exchanges. */
import { resolve } from "node:path";

import { DAY_MS } from "../../contract/durations.ts";
import type { Arguments } from "../command.ts";
import { readBackup } from "./backup-file.ts";

/** The command's options, apart from the target. */
export const RESTORE_OPTIONS = {
  to: ["text", "the moment"],
  bookmark: ["text", "a D1 bookmark, instead of --to; needs --since"],
  from: ["text", "a backup, instead of --to"],
  since: ["text", "the time from which the exchanges have newer decisions"],
  forget: ["flag", "abandons an unfinished restore"],
} as const;

/** `since` (epoch ms): exchange decisions from this time on are compared and projected again. */
export type RestorePlan =
  | { kind: "timestamp"; to: string; since: number }
  | { kind: "bookmark"; to: string; since: number }
  | { kind: "file"; to: string; since: number };

/**
 * Returns the time from which D1 may lack exchange decisions: a day before the restored state. A sale may
 * reach D1 late, and the exchange dates it by when it was made.
 */
export function sinceOf(moment: number): number {
  return Math.max(0, moment - DAY_MS);
}

/** Parses a time (epoch ms). @throws Error in one sentence if it is invalid or in the future */
export function parseMoment(option: string, text: string, now = Date.now()): number {
  const at = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new Error(`--${option}=${text} is not a time: use 2026-11-01T00:00:00Z, or with +11:00.`);
  if (at > now) throw new Error(`--${option}=${text} is in the future.`);
  return at;
}

/**
 * Returns the requested restore; null without options, which resumes the unfinished one.
 *
 * @throws Error in one sentence if the restore is impossible
 */
export function planOf(args: Arguments, isRemote: boolean): RestorePlan | null {
  const [to, bookmark, from] = [args.option("to"), args.option("bookmark"), args.option("from")];
  const since = args.option("since");
  const given = [to, bookmark, from].filter((value) => value !== null);
  if (given.length === 0 && since === null) return null;
  if (given.length !== 1) throw new Error("Use one of --to=…, --bookmark=… and --from=….");
  if (!isRemote && from === null)
    throw new Error("Only production has a D1 history: locally use a backup, --from=backups/….");
  if (to !== null) {
    const moment = parseMoment("to", to);
    return { kind: "timestamp", to: new Date(moment).toISOString(), since: sinceOf(moment) };
  }
  if (bookmark !== null) {
    if (since === null) throw new Error("Also give the time of that bookmark: --since=….");
    return { kind: "bookmark", to: bookmark, since: sinceOf(parseMoment("since", since)) };
  }
  const file = resolve(from!);
  const { takenAt } = readBackup(file);
  return { kind: "file", to: file, since: sinceOf(since === null ? takenAt : parseMoment("since", since)) };
}
