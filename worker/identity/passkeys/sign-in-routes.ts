/** Routes for signing in with a passkey alone, or with a second step after the correct password. */
import { Hono } from "hono";

import type { SignInMethod } from "../../../contract/auth.ts";
import { passkeyProofSchema, recoveryCodeSchema, type SecondStep } from "../../../contract/passkeys.ts";
import { recordFailure } from "../auth/sign-in-commands.ts";
import { signIn } from "../auth/signing-in.ts";
import { DomainError } from "../../platform/errors.ts";
import { findPerson } from "../impersonation/commands.ts";
import { access } from "../access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { notifyByEmail } from "../../outbox/commands.ts";
import { consumeSecret, type SecretRow } from "../auth/one-time-secret-store.ts";
import {
  countAttempt,
  countRecoveryCodes,
  findPasskey,
  findSecondStep,
  listPasskeys,
  recordUse,
  spendRecoveryCode,
  storeChallenge,
  storeSecondChallenge,
} from "./store.ts";
import { readAssertion, relyingPartyOf, requestOptions } from "./webauthn.ts";
import { endSignIn, signInHolder, startSignIn } from "./second-step.ts";
import { recoveryCodeUsed } from "../messages.ts";

function signInEndedError(): DomainError {
  return new DomainError(
    "sign_in_ended",
    "That took too long, or there were too many attempts. Please sign in again.",
  );
}

function recordRefusal(c: AppContext, userId: string | null, method: SignInMethod): void {
  const { userAgent } = c.env.CALLER;
  c.executionCtx.waitUntil(recordFailure(c.env, { userId, userAgent, method, now: Date.now() }));
}

/** Returns the browser's open second step. @throws DomainError sign_in_ended if there is none */
async function secondStep(c: AppContext): Promise<SecretRow & { userId: string }> {
  const holder = signInHolder(c);
  const step = holder && (await findSecondStep(c.env.db, holder, Date.now()));
  if (!step || step.userId === null) throw signInEndedError();
  return { ...step, userId: step.userId };
}

/** Counts one try at the second step. @throws DomainError sign_in_ended if it has ended or has no tries left */
async function trySecondStep(c: AppContext): Promise<SecretRow & { userId: string }> {
  const holder = signInHolder(c);
  const of = holder && ({ hash: holder, purpose: "second_factor" } as const);
  const step = of && (await countAttempt(c.env.db, of, Date.now()));
  if (!step || step.userId === null) throw signInEndedError();
  return { ...step, userId: step.userId };
}

/**
 * Signs in the user who passed the second step.
 * @throws DomainError sign_in_ended if the step was already used or the account is inactive
 */
async function finishSignIn(c: AppContext, step: SecretRow, userId: string, method: SignInMethod) {
  const db = c.env.db;
  const found = await findPerson(db, userId);
  if (!(await consumeSecret(db, step, Date.now())) || !found?.isActive) throw signInEndedError();
  endSignIn(c);
  return { user: found.user, answer: await signIn(c, found.user, method) };
}

const byAddress = (c: AppContext) => countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);

export const passkeySignInRoutes = new Hono<AppEnv>()
  .post("/passkey/options", access.anyone, async (c) => {
    await byAddress(c);
    const options = await requestOptions(relyingPartyOf(c), []);
    const of = { hash: startSignIn(c), purpose: "sign_in" } as const;
    await storeChallenge(c.env.db, of, options.challenge, Date.now());
    return c.json(options);
  })

  .post("/passkey", access.anyone, jsonBody(passkeyProofSchema), async (c) => {
    await byAddress(c);
    const db = c.env.db;
    const now = Date.now();
    const { credential } = c.req.valid("json");
    const holder = signInHolder(c);
    const step = holder && (await countAttempt(db, { hash: holder, purpose: "sign_in" }, now));
    if (!step || !step.data) throw signInEndedError();
    const passkey = await findPasskey(db, credential.id);
    const counter = passkey && (await readAssertion(relyingPartyOf(c), credential, passkey, step.data));
    if (!passkey || counter === null || !(await recordUse(db, passkey, counter, now))) {
      recordRefusal(c, passkey?.userId ?? null, "passkey");
      throw new DomainError(
        "passkey_refused",
        "We don't recognise that passkey. Sign in with your password.",
      );
    }
    return (await finishSignIn(c, step, passkey.userId, "passkey")).answer;
  })

  .get("/second-factor", access.anyone, async (c) => {
    await byAddress(c);
    const { userId } = await secondStep(c);
    const db = c.env.db;
    const [found, codes] = await Promise.all([findPerson(db, userId), countRecoveryCodes(db, userId)]);
    if (!found?.isActive) throw signInEndedError();
    return c.json<SecondStep>({ firstName: found.user.firstName, hasRecoveryCodes: codes > 0 });
  })

  .post("/second-factor/options", access.anyone, async (c) => {
    await byAddress(c);
    const { hash, userId } = await secondStep(c);
    const db = c.env.db;
    const options = await requestOptions(relyingPartyOf(c), await listPasskeys(db, userId));
    if (!(await storeSecondChallenge(db, hash, options.challenge, Date.now()))) throw signInEndedError();
    return c.json(options);
  })

  .post("/second-factor", access.anyone, jsonBody(passkeyProofSchema), async (c) => {
    await byAddress(c);
    const db = c.env.db;
    const step = await trySecondStep(c);
    if (!step.data) throw signInEndedError();
    const { credential } = c.req.valid("json");
    const passkey = await findPasskey(db, credential.id, step.userId);
    const counter = passkey && (await readAssertion(relyingPartyOf(c), credential, passkey, step.data));
    if (!passkey || counter === null || !(await recordUse(db, passkey, counter, Date.now()))) {
      recordRefusal(c, step.userId, "password_and_passkey");
      throw new DomainError(
        "passkey_refused",
        "That passkey doesn't belong to this account. Please try another.",
      );
    }
    return (await finishSignIn(c, step, step.userId, "password_and_passkey")).answer;
  })

  .post("/recovery-code", access.anyone, jsonBody(recoveryCodeSchema), async (c) => {
    await byAddress(c);
    const step = await trySecondStep(c);
    if (!(await spendRecoveryCode(c.env.db, step.userId, c.req.valid("json").code, Date.now()))) {
      recordRefusal(c, step.userId, "recovery_code");
      const message = "That isn't one of this account's codes, or it's already been used";
      throw new DomainError("wrong_code", message, { code: message });
    }
    const { user, answer } = await finishSignIn(c, step, step.userId, "recovery_code");
    notifyByEmail(c, user, recoveryCodeUsed);
    return answer;
  });
