import type { AppContext, AppEnv } from "../platform/app.ts";
import type { MiddlewareHandler } from "hono";

import type { Session, SocketSession } from "../platform/session.ts";
import { type BusinessScope, requireConfirmed, scopeOf } from "../auth/rights.ts";
import { mustChangePassword } from "../auth/rules.ts";
import { type Act, actOf } from "../audit/act.ts";
import { DomainError } from "../errors.ts";
import { opensSocket } from "./caller.ts";

/** Routes without one of these gates fail a test; see api.test.ts. */
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

/** Nothing goes with a password somebody else knows but choosing another one. */
function requireSession<Found extends SocketSession | Session>(session: Found | null): Found {
  const found = requireAnySession(session);
  if (mustChangePassword(found)) throw new DomainError("must_change_password");
  return found;
}

/**
 * The business of whoever opens a live socket.
 * @throws DomainError unauthenticated, must_change_password, forbidden
 */
export function socketScope(session: SocketSession | null): BusinessScope {
  return scopeOf(requireSession(session));
}

/** What handlers behind a gate are given: the session, and the act that log and rows are to name. */
function admit(c: AppContext, session: Session): void {
  c.set("session", session);
  c.set("act", actOf(session, c.env.CALLER.requestId, Date.now()));
}

/** Who may call a route. Each route names one of these first. */
export const access = {
  /** Anybody, signed in or not. */
  anyone: gate(async (_, next) => next()),

  /** Anybody who is signed in. */
  signedIn: gate<{ session: Session; act: Act }>(async (c, next) => {
    admit(c, requireSession(c.env.CALLER.session));
    await next();
  }),

  /** Anybody who is signed in, also with a temporary password: to choose one of their own. */
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
   * Providers and their team members, who open a live socket: an upgrade goes on to where it leads, whose
   * book or D1 says whose it is (`socketScope`); without one there is nothing to open.
   */
  socket: gate(async (c, next) => {
    if (!opensSocket(c.req.raw)) scopeOf(requireSession(c.env.CALLER.session));
    await next();
  }),

  /** Providers only: what costs money or changes the business itself. */
  owner: gate<{ session: Session; act: Act; scope: BusinessScope }>(async (c, next) => {
    const session = requireSession(c.env.CALLER.session);
    const scope = scopeOf(session);
    if (!scope.isOwner) throw new DomainError("forbidden", "Team members have CRM access only");
    admit(c, session);
    c.set("scope", scope);
    await next();
  }),

  /** Super admins, as themselves: an impersonated session has its target's rights and no others. */
  superAdmin: gate<{ session: Session; act: Act }>(async (c, next) => {
    const session = requireSession(c.env.CALLER.session);
    if (session.needsPasskey) {
      throw new DomainError("passkey_needed", "Admin rights need a passkey: add one, or confirm with yours.");
    }
    if (!session.user.isSuperAdmin || session.impersonatorId !== null) {
      throw new DomainError("forbidden", "Super admin access required");
    }
    admit(c, session);
    await next();
  }),
} as const;

/**
 * Goes behind a gate on what a person only does themselves: buying, passwords, bank details.
 * @throws DomainError impersonating
 */
export const notImpersonating: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.env.CALLER.session?.impersonatorId) throw new DomainError("impersonating");
  await next();
};

/** Goes behind a gate on what a stolen session must not do: bank details, passkeys. */
export const recentlyConfirmed: MiddlewareHandler<AppEnv> = async (c, next) => {
  requireConfirmed(c.env.CALLER.session, Date.now());
  await next();
};
