import type { messages } from "../platform/db/schema.ts";
import type { MessageState } from "../platform/db/message-types.ts";

/** A message's result. A waiting one is due again at `due`. `untried`: only checked, which is no attempt. */
export type Result = { id: string; state: MessageState; due: number; untried?: true };

/** The result of a notification. `gone`: the id of its dead device. `instead`: the message that replaces it later. */
export type PushResult = Result & { gone?: string; instead?: typeof messages.$inferInsert };
