import type { users } from "./db/schema.ts";

export type UserRow = typeof users.$inferSelect;

export type Session = {
  id: string;
  user: UserRow;
  impersonatorId: string | null;
  lastSeenAt: number;
  /** When the user signed in; while impersonating, when the super admin did. */
  signedInAt: number;
  /** When the user last confirmed their identity. */
  confirmedAt: number;
  /** When the user gave a passkey or a recovery code; null after a password alone. */
  secondFactorAt: number | null;
  /** A super admin without admin rights until they use a passkey. See `withOwnRights`. */
  needsPasskey: boolean;
};

/** The part of a session that opening a socket needs. */
export type SocketSession = Pick<Session, "id" | "impersonatorId"> & {
  /** When the session expires if it is not used again. */
  expiresAt: number;
  user: Pick<UserRow, "id" | "userType" | "teamOwnerId" | "mustChangePassword">;
};
