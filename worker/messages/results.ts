import type { MessageState } from "./kinds.ts";

/** What became of a message; with `due` it waits again. */
export type Result = { id: string; state: MessageState; due: number };
