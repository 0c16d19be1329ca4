import type { messages } from "../db/schema.ts";
import type { MessageState } from "../db/message-types.ts";

/** What became of a message; with `due` it waits again. `untried`: it was only looked at, which is no try. */
export type Result = { id: string; state: MessageState; due: number; untried?: true };

/** What became of a notification: `gone` is the device that is no more, `instead` what is said later in its place. */
export type PushResult = Result & { gone?: string; instead?: typeof messages.$inferInsert };
