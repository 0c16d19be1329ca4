/** How channels are used until an admin says otherwise. */
import type { MessageChannel } from "./kinds.ts";

/** What an admin can switch. */
export type Channel = Exclude<MessageChannel, "spread">;

/** Messages that others cause, within 24 hours: more than a busy day, less than would cost us our good name. */
export const USUAL_LIMIT: Readonly<Record<Channel, number>> = { email: 1_000, push: 50_000 };
