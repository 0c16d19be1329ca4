/** A person and the session behind a request, as every room knows them. */
import type { users } from "../db/schema.ts";

export type UserRow = typeof users.$inferSelect;

export type Session = {
  id: string;
  user: UserRow;
  impersonatorId: string | null;
  lastSeenAt: number;
  /** When the person at the keyboard signed in. */
  signedInAt: number;
  /** When they last proved who they are. */
  confirmedAt: number;
  /** When they gave a passkey or a recovery code; null while only a password was given. */
  secondFactorAt: number | null;
  /** A super admin whose rights wait for a passkey: see `withOwnRights`. */
  needsPasskey: boolean;
  /** Whether their business has ever paid with a card. */
  hasPaid: boolean;
};

/** As much of a session as opening a socket needs. */
export type SocketSession = Pick<Session, "id" | "impersonatorId"> & {
  /** When it ends, should it be used no more. */
  expiresAt: number;
  user: Pick<UserRow, "id" | "userType" | "teamOwnerId" | "mustChangePassword">;
};
