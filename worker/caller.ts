import type { Session } from "./platform/session.ts";
import type { NetworkPrefixes } from "./network.ts";

/**
 * Who asks, worked out once on the outer request. Page loaders that call the API in-process hand it on
 * as an argument, never as headers: a browser cannot forge an argument.
 */
export type Caller = {
  requestId: string;
  /** The client's network address. No key of anything: whoever counts, counts by `network`. */
  address: string;
  /** The part of the address that stays with one household: the key of every limit. */
  network: string;
  /** The networks around the address, for limits that grow with the network. */
  prefixes: NetworkPrefixes;
  userAgent: string | null;
  /** The languages the browser asks for. */
  language: string | null;
  /** Where the network is, in two letters, and whose it is, as Cloudflare knows it; for screening only. */
  country: string | null;
  networkOwner: string | null;
  /** Whether a page asks on behalf of a browser that posted its form. */
  viaPage: boolean;
  /** The device cookie as it came: which accounts the browser has signed in to (auth/guess-counters.ts). */
  device: string | null;
  /** Whether the browser came over https. */
  secure: boolean;
  session: Session | null;
  /** Whose window a live socket is: an upgrade is looked up where it leads, without `session`. */
  windowOf: { userId: string; impersonatorId: string | null } | null;
  /** The session as D1 has it now: for what may only be decided on fresh word. */
  confirmSession: () => Promise<Session | null>;
  /** Hash of the session's token: by it a statement can do its work only while the session lives. For an
   * upgrade it is what the browser sent, whether a session has it or not. */
  sessionHash: string | null;
  /** The session's token, when its cookie is due for a new lifetime; the outer answer carries it. */
  renewed: string | null;
  /** Nothing is known of the caller, and the answer may go to many: nothing in it may be for one of them. */
  shared: boolean;
};

/** The networks of a developer's own machine, where one person plays many. */
export const OWN_MACHINE: ReadonlySet<string> = new Set(["local", "127.0.0.1", "0:0:0:0"]);
