import * as z from "zod/mini";

/** Purpose of a passkey challenge: register a passkey, sign in, second factor after a password, or confirm again. */
export const CHALLENGE_PURPOSES = ["register", "sign_in", "second_factor", "confirm"] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** Maximum passkeys per account. No user has that many devices. */
export const MAX_PASSKEYS = 20;
/** Recovery codes created at once. */
export const RECOVERY_CODES = 10;
export const PASSKEY_NAME_MAX = 60;

const UNREADABLE = "We couldn't read the passkey your browser sent";

function base64url(most: number) {
  return z.string(UNREADABLE).check(z.maxLength(most, UNREADABLE), z.regex(/^[\w-]+$/, UNREADABLE));
}

/** Credential ids have at most 1,023 bytes (WebAuthn Level 3, 4). */
const credentialId = base64url(1364);

/** The browser's response when it registers a passkey (RegistrationResponseJSON). Only the fields we read. */
export const registrationSchema = z.object(
  {
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key", UNREADABLE),
    response: z.object(
      {
        clientDataJSON: base64url(4000),
        attestationObject: base64url(16_000),
        transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
      },
      UNREADABLE,
    ),
  },
  UNREADABLE,
);
export type Registration = z.infer<typeof registrationSchema>;

/** The browser's response when it uses a passkey (AuthenticationResponseJSON). Only the fields we read. */
export const assertionSchema = z.object(
  {
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key", UNREADABLE),
    response: z.object(
      {
        clientDataJSON: base64url(4000),
        authenticatorData: base64url(4000),
        signature: base64url(2000),
        userHandle: z.optional(z.nullable(base64url(200))),
      },
      UNREADABLE,
    ),
  },
  UNREADABLE,
);
export type Assertion = z.infer<typeof assertionSchema>;

export const passkeyIdSchema = z.string().check(z.regex(/^key_[0-9a-z]{8,40}$/));

const NO_NAME = "Give the passkey a name";
const nameSchema = z
  .string(NO_NAME)
  .check(
    z.trim(),
    z.minLength(1, NO_NAME),
    z.maxLength(PASSKEY_NAME_MAX, "Please use at most 60 characters"),
  );

/** Body of POST /api/passkeys. */
export const newPasskeySchema = z.object({ credential: registrationSchema });

/** Body of PATCH /api/passkeys/:id. */
export const passkeyNameSchema = z.object({ name: nameSchema });

/** Body of every call that verifies a passkey. */
export const passkeyProofSchema = z.object({ credential: assertionSchema });

const CODE = /^[a-z2-9]{16}$/;
const NOT_A_CODE = "A recovery code has 16 letters and digits, such as abcd-efgh-2345-6789";

/** Body of POST /api/auth/recovery-code. Spaces and hyphens are ignored. */
export const recoveryCodeSchema = z.object({
  code: z.pipe(
    z.string(NOT_A_CODE).check(
      z.maxLength(60, NOT_A_CODE),
      z.refine((text) => CODE.test(normaliseRecoveryCode(text)), NOT_A_CODE),
    ),
    z.transform(normaliseRecoveryCode),
  ),
});

/** Returns a recovery code in lower case, without spaces and hyphens. */
export function normaliseRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, "");
}

/** Body of POST /api/auth/confirm/password. */
export const confirmPasswordSchema = z.object({
  password: z.string("Password is required").check(z.minLength(1, "Password is required"), z.maxLength(200)),
});

/** A passkey as its owner sees it. */
export type PasskeyInfo = {
  id: string;
  name: string;
  /** A password manager stores it, so it survives the loss of a device. */
  isSynced: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; null when it has never signed in. */
  lastUsedAt: number | null;
};

/** Response of GET /api/passkeys. */
export type PasskeyState = {
  passkeys: PasskeyInfo[];
  recoveryCodesLeft: number;
  /** Whether this account must have a passkey. */
  isDemanded: boolean;
};

/** The second step of a sign-in, after the correct password. */
export type SecondStep = {
  firstName: string;
  /** Whether the user can use a recovery code instead. */
  hasRecoveryCodes: boolean;
};
