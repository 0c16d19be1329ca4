import type { MessageState } from "./kinds.ts";

/** What became of a message; with `due` it waits again. `untried`: it was only looked at, which is no try. */
export type Result = { id: string; state: MessageState; due: number; untried?: true };
