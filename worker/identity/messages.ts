/** Emails to users about their own account. */
import { and, eq, gt, isNull } from "drizzle-orm";

import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { greetingOf } from "../../contract/names.ts";
import { type Loading, mailMessage, UNWANTED } from "../outbox/message.ts";
import { oneTimeSecrets } from "./tables.ts";
import type { MessagePayload } from "../platform/db/messages.ts";
import { users } from "../platform/db/users.ts";
import { hashToken, newToken } from "./auth/rules.ts";

/** Returns the account that an email is about, and the name for its greeting; null if it no longer exists. */
export async function findAccount({ db, message }: Pick<Loading, "db" | "message">) {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.id, message.userId ?? ""));
  if (!user) return null;
  // An account may be erased before the email about its closure is sent.
  return { user, firstName: user.username === `erased-${user.id}` ? "" : user.firstName };
}

/** Returns an active account. */
export async function findActiveAccount(loading: Loading) {
  const account = await findAccount(loading);
  return account?.user.isActive ? account : null;
}

/** Returns a security notice. It says what happened and how to report it if the user did not do it. */
export const notice = <Subject extends object = MessagePayload>(
  name: string,
  subject: string,
  ...what: readonly string[]
) =>
  mailMessage<{ firstName: string }, Subject>({
    name,
    reason: "Something about their account changed, and they should know even if it was not them.",
    lifetimeMs: 3 * DAY_MS,
    load: async (loading) => (await findAccount(loading)) ?? UNWANTED,
    email: ({ firstName }, { contactPhone, contactEmail }) => ({
      subject,
      parts: [
        greetingOf(firstName),
        ...what,
        `If that was you, or you know about it, you don't need to do anything. If not, call us on ${contactPhone} or email ${contactEmail} straight away.`,
      ],
    }),
  });

const linkNotice = (name: string, creator: string) => ({
  ...notice(
    name,
    "Someone created a password reset link for your Naturestrip account",
    `${creator} created a one-time link. Anyone who opens it within 24 hours can choose a new password for your account. Until then, your password stays the same.`,
  ),
  lifetimeMs: DAY_MS,
});

export const linkMadeBySupport = linkNotice("link_made_by_support", "Our support team");

export const linkMadeByOwner = linkNotice("link_made_by_owner", "The owner of your business");

export const passkeyAdded = notice(
  "passkey_added",
  "A passkey was added to your Naturestrip account",
  "A passkey was added to your account. From now on, you can sign in with your password and a passkey, or with a passkey alone.",
);

export const passkeyRemoved = notice(
  "passkey_removed",
  "A passkey was removed from your Naturestrip account",
  "A passkey was removed from your account. It no longer works.",
);

export const recoveryCodesRenewed = notice(
  "recovery_codes_renewed",
  "New recovery codes for your Naturestrip account",
  "Someone created new recovery codes for your account. The old ones no longer work.",
);

export const recoveryCodeUsed = notice(
  "recovery_code_used",
  "Someone used a recovery code on your Naturestrip account",
  "Someone signed in to your account with your password and one of your recovery codes. That code won't work again.",
);

export const emailChanged = notice(
  "email_changed",
  "The email address on your Naturestrip account was changed",
  "Your account has a new email address. From now on, we'll email that address, not this one.",
);

export const bankDetailsChanged = notice(
  "bank_details_changed",
  "The bank details on your Naturestrip account were changed",
  "The bank details on your account were changed or deleted.",
);

type OfHour = { userId: string; hour: number };

export const newSignIn = {
  ...notice<OfHour>(
    "new_sign_in",
    "Someone signed in to your Naturestrip account on a new device",
    "Someone signed in to your account on a device we don't recognise, from a network you haven't used before.",
    "Go to Settings to see which device it was and when it signed in. You can sign it out there, and choose a new password.",
  ),
  lifetimeMs: DAY_MS,
  key: ({ userId, hour }: OfHour) => `${userId}:${hour}`,
};

/** Wrong passwords from unknown devices before the account's owner gets an email. */
export const GUESSES_BEFORE_NOTICE = 10;

export const passwordGuessed = {
  ...notice(
    "password_guessed",
    "Someone is trying to guess your password",
    `Someone has tried at least ${GUESSES_BEFORE_NOTICE} wrong passwords on your Naturestrip account, on devices you haven't signed in on before. None of them was right.`,
    "You're not locked out: you can sign in as usual on the devices you use. On a new device, choose “Forgot password?” if it asks you to wait.",
    "A long password you don't use anywhere else keeps guessers out. You can choose one in Settings.",
  ),
  lifetimeMs: DAY_MS,
};

/**
 * Creates a new secret for a link and stores only its hash. Earlier secrets stop working, so each retry of an email
 * contains a new link.
 * @returns the token; null for a used or expired link
 */
async function renewToken({ db, message, now }: Loading): Promise<string | null> {
  const token = newToken();
  const { id, usedAt, expiresAt } = oneTimeSecrets;
  const changed = await db
    .update(oneTimeSecrets)
    .set({ hash: hashToken(token) })
    .where(and(eq(id, message.payload.linkId ?? ""), isNull(usedAt), gt(expiresAt, now)))
    .returning({ id });
  return changed.length > 0 ? token : null;
}

/** Loads an email with a new link. @param path where the link's token follows */
const loadLink = (path: "/reset-password/" | "/confirm-email/") => async (loading: Loading) => {
  const account = await findActiveAccount(loading);
  const token = account && (await renewToken(loading));
  if (!token) return UNWANTED;
  return { firstName: account.firstName, link: `${loading.message.payload.origin ?? ""}${path}${token}` };
};

export const passwordLink = mailMessage({
  name: "password_link",
  reason: "They asked for a new password.",
  lifetimeMs: 30 * MINUTE_MS,
  load: loadLink("/reset-password/"),
  email: ({ firstName, link }) => ({
    subject: "Choose a new password for Naturestrip",
    parts: [
      greetingOf(firstName),
      "Someone (hopefully you) asked for a new password for your Naturestrip account.",
      { link, words: "Choose a new password" },
      "The link works once, for up to 24 hours. If it wasn't you, you don't need to do anything. Your password stays the same.",
    ],
  }),
});

export const confirmEmailLink = mailMessage({
  name: "confirm_email",
  reason: "They gave their account a new address.",
  lifetimeMs: 30 * MINUTE_MS,
  load: loadLink("/confirm-email/"),
  email: ({ firstName, link }) => ({
    subject: "Confirm your email for Naturestrip",
    parts: [
      greetingOf(firstName),
      "Is this your email address? Confirm it for your Naturestrip account.",
      { link, words: "Confirm this address" },
      "The link works once, for up to 24 hours. If you didn't ask for it, you don't need to do anything. We won't use the address unless you confirm it.",
    ],
  }),
});
