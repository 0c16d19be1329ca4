import type { users } from "./db/users.ts";
import type { NetworkPrefixes } from "./network.ts";

/**
 * The caller, identified once on the outer request. Page loaders pass it to the API in-process as an argument. A
 * browser could forge a header, but not an argument.
 */
export type Caller = {
  requestId: string;
  /** The client's IP address. Rate limits use `network` as their key instead. */
  address: string;
  /** The part of the IP address that identifies one household. Rate limits use it as their key. */
  network: string;
  /** The networks that contain the IP address. A wider network has a higher limit. */
  prefixes: NetworkPrefixes;
  userAgent: string | null;
  /** The browser's `Accept-Language`. */
  language: string | null;
  /** The network's country (two letters) and owner, from Cloudflare. For screening only. */
  country: string | null;
  networkOwner: string | null;
  /** The raw device cookie. It lists the accounts that the browser has signed in to (auth/device-cookie.ts). */
  device: string | null;
  /** Whether the request came over https. */
  secure: boolean;
  session: Session | null;
  /** The user of a live socket. The socket's route sets it, because an upgrade has no `session`. */
  windowOf: { userId: string; impersonatorId: string | null } | null;
  /** Reads the session from D1 again, for decisions that need fresh data. */
  confirmSession: () => Promise<Session | null>;
  /**
   * Hash of the session's token. Statements use it to change data only while the session is valid. For an upgrade, the
   * hash of the token that the browser sent, valid or not.
   */
  sessionHash: string | null;
  /** The session's token when its cookie is due for renewal. The outer response sets the cookie. */
  renewed: string | null;
  /**
   * Whether the response goes into the shared cache. Then the caller is anonymous, and the response must not contain
   * personal data.
   */
  shared: boolean;
};

/** Networks of a local machine, where a developer acts as many users. */
export const OWN_MACHINE: ReadonlySet<string> = new Set(["local", "127.0.0.1", "0:0:0:0"]);

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
