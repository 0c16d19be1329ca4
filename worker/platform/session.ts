import type { users } from "./db/schema.ts";

export type UserRow = typeof users.$inferSelect;

export type Session = {
  id: string;
  user: UserRow;
  impersonatorId: string | null;
  lastSeenAt: number;
  /** When the user signed in. While impersonating, when the super admin signed in. */
  signedInAt: number;
  /** When the user last confirmed their identity. */
  confirmedAt: number;
  /** When the user verified with a passkey or a recovery code; null after a password alone. */
  secondFactorAt: number | null;
  /** True for a super admin who must use a passkey to get admin rights. See `withOwnRights`. */
  needsPasskey: boolean;
};

/** The part of a session needed to open a socket. */
export type SocketSession = Pick<Session, "id" | "impersonatorId"> & {
  /** When the session expires if the user does not use it again. */
  expiresAt: number;
  user: Pick<UserRow, "id" | "userType" | "teamOwnerId" | "mustChangePassword">;
};
