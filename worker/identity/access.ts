import type { AppContext, AppEnv } from "../platform/context.ts";
import type { MiddlewareHandler } from "hono";

import type { Session, SocketSession } from "../platform/caller.ts";
import { type BusinessScope, mustChangePassword, requireConfirmed, scopeOf } from "./auth/rules.ts";
import { type Act, actOf } from "./audit/store.ts";
import { DomainError } from "../platform/errors.ts";
import { isSocketUpgrade } from "./identify-caller.ts";

/** Handlers that are access gates. roles.test.ts fails if a route lacks one. */
export const guarded = new WeakSet<object>();

type Gate<Variables extends object = object> = MiddlewareHandler<AppEnv & { Variables: Variables }>;

function gate<Variables extends object>(handler: Gate<Variables>): Gate<Variables> {
  guarded.add(handler);
  return handler;
}

function requireAnySession<Found extends SocketSession | Session>(session: Found | null): Found {
  if (!session) throw new DomainError("unauthenticated");
  return session;
}

/** Rejects users with a temporary password. Another person knows it, so the user must choose a new one first. */
function requireSession<Found extends SocketSession | Session>(session: Found | null): Found {
  const found = requireAnySession(session);
  if (mustChangePassword(found)) throw new DomainError("must_change_password");
  return found;
}

/**
 * Returns the business of the user who opens a live socket.
 * @throws DomainError unauthenticated, must_change_password, forbidden
 */
export function socketScope(session: SocketSession | null): BusinessScope {
  return scopeOf(requireSession(session));
}

/** Stores the session in the request context, with the act for audit entries. */
function admit(c: AppContext, session: Session): void {
  c.set("session", session);
  c.set("act", actOf(session, c.env.CALLER.requestId, Date.now()));
}

/** Access gates: who may call a route. Each route lists its gate first. */
export const access = {
  anyone: gate(async (_, next) => next()),

  signedIn: gate<{ session: Session; act: Act }>(async (c, next) => {
    admit(c, requireSession(c.env.CALLER.session));
    await next();
  }),

  /** Every signed-in user, including users with a temporary password, who must be able to replace it. */
  signedInWithAnyPassword: gate<{ session: Session; act: Act }>(async (c, next) => {
    admit(c, requireAnySession(c.env.CALLER.session));
    await next();
  }),

  /** Providers and their team members, for their own business. */
  business: gate<{ session: Session; act: Act; scope: BusinessScope }>(async (c, next) => {
    const session = requireSession(c.env.CALLER.session);
    admit(c, session);
    c.set("scope", scopeOf(session));
    await next();
  }),

  /**
   * Providers and their team members, to open a live socket. The gate accepts every WebSocket upgrade: the Durable
   * Object or D1 checks its session later (`socketScope`). It checks all other requests here.
   */
  socket: gate(async (c, next) => {
    if (!isSocketUpgrade(c.req.raw)) scopeOf(requireSession(c.env.CALLER.session));
    await next();
  }),

  /** Providers only, not their team members: for calls that cost money or change the business. */
  owner: gate<{ session: Session; act: Act; scope: BusinessScope }>(async (c, next) => {
    const session = requireSession(c.env.CALLER.session);
    const scope = scopeOf(session);
    if (!scope.isOwner) throw new DomainError("forbidden", "Team members have CRM access only");
    admit(c, session);
    c.set("scope", scope);
    await next();
  }),

  /** Super admins who are not impersonating: an impersonated session has only its target's rights. */
  superAdmin: gate<{ session: Session; act: Act }>(async (c, next) => {
    const session = requireSession(c.env.CALLER.session);
    if (session.needsPasskey) {
      throw new DomainError(
        "passkey_needed",
        "You need a passkey to use admin rights. Add one, or confirm with yours.",
      );
    }
    if (!session.user.isSuperAdmin || session.impersonatorId !== null) {
      throw new DomainError("forbidden", "Super admin access required");
    }
    admit(c, session);
    await next();
  }),
} as const;

/**
 * Rejects impersonated sessions. Use it after an access gate, on the routes that decision 10 lists.
 * @throws DomainError impersonating
 */
export const notImpersonating: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.env.CALLER.session?.impersonatorId) throw new DomainError("impersonating");
  await next();
};

/**
 * Requires a recent confirmation, so that a stolen session cannot change bank details or passkeys. Used after an
 * access gate.
 */
export const recentlyConfirmed: MiddlewareHandler<AppEnv> = async (c, next) => {
  requireConfirmed(c.env.CALLER.session, Date.now());
  await next();
};
