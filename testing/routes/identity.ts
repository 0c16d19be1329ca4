/** Accounts, sessions, passkeys, settings and teams. */
import { bankDetailsSchema, personalInfoSchema, servicesSchema } from "../../contract/account.ts";
import {
  customerSignupSchema,
  emailConfirmationSchema,
  forgotPasswordSchema,
  impersonateSchema,
  loginSchema,
  passwordChangeSchema,
  passwordResetSchema,
  providerSignupSchema,
  watchedRegionsSchema,
} from "../../contract/auth.ts";
import { checkStatementSchema } from "../../contract/checks.ts";
import {
  confirmPasswordSchema,
  newPasskeySchema,
  passkeyNameSchema,
  passkeyProofSchema,
  recoveryCodeSchema,
} from "../../contract/passkeys.ts";
import { profileSchema } from "../../contract/profiles.ts";
import { teamAlertsSchema, teamMemberSchema } from "../../contract/team.ts";
import { textTemplatesSchema } from "../../contract/text-templates.ts";
import { newId } from "../../worker/platform/ids.ts";
import { PASSWORD } from "../world.ts";
import { admin, anyone, type ApiRoute, business, owner, type RouteTable, signedIn } from "./route.ts";

const person = () => ({
  username: `new-${newId("user").slice(5)}`,
  email: "",
  password: PASSWORD,
  firstName: "Nora",
  lastName: "Newcomer",
  phone: "0491 570 006",
});

const personWrong = {
  username: "two words",
  email: "not an address",
  password: "12345",
  firstName: "  ",
  lastName: 7,
  phone: "12345",
};

/** A well-formed passkey response from a browser. No account has this passkey. */
const credential = { id: "AAAA", rawId: "AAAA", type: "public-key" };

const proof = {
  body: () => ({
    credential: {
      ...credential,
      response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA", userHandle: null },
    },
  }),
  required: ["credential"],
  wrong: { credential: { ...credential, response: { clientDataJSON: "{}" } } },
} satisfies Partial<ApiRoute>;

export const IDENTITY_ROUTES = {
  "GET /api/auth/me": { gets: signedIn() },
  "POST /api/auth/login": {
    gets: anyone(),
    schema: loginSchema,
    // A new name each time, because wrong passwords delay the next attempt at one.
    body: () => ({ username: `unknown-${newId("user").slice(5)}`, password: PASSWORD }),
    required: ["username", "password"],
    wrong: { username: "  ", password: "" },
  },
  // No caller is in the middle of signing in.
  "POST /api/auth/passkey/options": { gets: anyone() },
  "POST /api/auth/passkey": {
    gets: anyone(410),
    schema: passkeyProofSchema,
    ...proof,
  },
  "GET /api/auth/second-factor": { gets: anyone(410) },
  "POST /api/auth/second-factor/options": { gets: anyone(410) },
  "POST /api/auth/second-factor": {
    gets: anyone(410),
    schema: passkeyProofSchema,
    ...proof,
  },
  "POST /api/auth/recovery-code": {
    gets: anyone(410),
    schema: recoveryCodeSchema,
    body: () => ({ code: "abcd-efgh-2345-6789" }),
    required: ["code"],
    wrong: { code: "abcd" },
  },
  "GET /api/auth/confirm": { gets: signedIn(), refusesImpersonation: true },
  "POST /api/auth/confirm/password": {
    gets: signedIn(),
    refusesImpersonation: true,
    schema: confirmPasswordSchema,
    body: () => ({ password: PASSWORD }),
    required: ["password"],
    wrong: { password: "" },
  },
  "POST /api/auth/confirm/passkey/options": { gets: signedIn(), refusesImpersonation: true },
  // No caller has a passkey or a pending request for one.
  "POST /api/auth/confirm/passkey": {
    gets: signedIn(410),
    refusesImpersonation: true,
    schema: passkeyProofSchema,
    ...proof,
  },
  "GET /api/passkeys": { gets: signedIn(), refusesImpersonation: true },
  "POST /api/passkeys/options": { gets: signedIn(), refusesImpersonation: true },
  "POST /api/passkeys": {
    gets: signedIn(410),
    refusesImpersonation: true,
    schema: newPasskeySchema,
    body: () => ({
      credential: {
        ...credential,
        response: { clientDataJSON: "e30", attestationObject: "oA", transports: ["usb"] },
      },
    }),
    required: ["credential"],
    wrong: {
      credential: { ...credential, response: { clientDataJSON: "e30", attestationObject: "not/url" } },
    },
  },
  "PATCH /api/passkeys/:id": {
    gets: signedIn(404),
    refusesImpersonation: true,
    schema: passkeyNameSchema,
    body: () => ({ name: "Kitchen tablet" }),
    required: ["name"],
    wrong: { name: "x".repeat(61) },
  },
  "DELETE /api/passkeys/:id": { gets: signedIn(404), refusesImpersonation: true },
  "POST /api/passkeys/recovery-codes": { gets: signedIn(400), refusesImpersonation: true },
  "POST /api/auth/logout": { gets: anyone() },
  "POST /api/auth/provider/signup": {
    gets: [200, 200, 200, 200, 200, 201],
    schema: providerSignupSchema,
    body: () => ({ ...person(), companyName: "Newcomer Gardens" }),
    required: ["username", "password", "firstName", "lastName", "phone", "companyName"],
    wrong: {
      ...personWrong,
      companyName: "",
      confirmPassword: "another password",
      businessAddress: "",
      abn: "1".repeat(21),
      insuranceDetails: "x".repeat(501),
      serviceAreas: "x".repeat(1001),
      licenseNumber: "x".repeat(61),
    },
  },
  "POST /api/auth/customer/signup": {
    gets: anyone(),
    schema: customerSignupSchema,
    body: person,
    required: ["username", "password", "firstName", "lastName"],
    wrong: personWrong,
  },
  "POST /api/auth/impersonate": {
    gets: admin(),
    schema: impersonateSchema,
    body: () => ({ targetUserId: "user_00000000000000000000" }),
    required: ["targetUserId"],
    wrong: { targetUserId: "someone" },
  },
  "POST /api/auth/stop-impersonation": { gets: signedIn(409) },
  "GET /api/users/providers": {
    gets: admin(),
    examples: [
      "/api/users/providers?q=strip",
      "/api/users/providers?only=admins",
      "/api/users/providers?only=slow",
      "/api/users/providers?q=0491570006",
    ],
  },
  "GET /api/user/checks": { gets: owner() },
  "GET /api/user/checks/:id/file": { gets: owner(404) },
  "POST /api/user/checks": {
    gets: owner(201),
    refusesImpersonation: true,
    schema: checkStatementSchema,
    body: () => ({ kind: "abn", number: "51 824 753 556" }),
    required: ["kind"],
    wrong: { kind: "card", number: "x".repeat(41) },
  },
  // Without its dates and file.
  "POST /api/user/checks/insurance": { gets: owner(400), refusesImpersonation: true },
  "GET /api/team-members": { gets: owner() },
  "GET /api/team-members/names": { gets: business() },
  "PUT /api/team-members/:id/alerts": {
    gets: owner(200, 404),
    schema: teamAlertsSchema,
    body: () => ({ sales: true, mentions: false }),
    required: ["sales", "mentions"],
    wrong: { sales: "yes", mentions: 1 },
  },
  "POST /api/team-members": {
    gets: owner(201),
    refusesImpersonation: true,
    schema: teamMemberSchema,
    body: () => ({
      firstName: "Terry",
      lastName: "Teammate",
      email: `${newId("user")}@example.com`,
      phone: "0491 570 006",
      tempPassword: PASSWORD,
    }),
    required: ["firstName", "lastName", "email", "tempPassword"],
    wrong: { firstName: " ", lastName: "", email: "not an address", phone: "12345", tempPassword: "12345" },
  },
  "POST /api/team-members/:id/password-link": { gets: owner(201, 404), refusesImpersonation: true },
  "DELETE /api/team-members/:id": { gets: owner(200, 404) },
  // Email is not set up here, and the link does not exist.
  "POST /api/auth/forgot-password": {
    gets: anyone(503),
    schema: forgotPasswordSchema,
    body: () => ({ username: "unknown-user" }),
    required: ["username"],
    wrong: { username: "  " },
  },
  "GET /api/auth/password-link": { gets: anyone(410) },
  "POST /api/auth/reset-password": {
    gets: anyone(410),
    schema: passwordResetSchema,
    body: () => ({ token: "t".repeat(43), newPassword: PASSWORD, confirmPassword: PASSWORD }),
    required: ["token", "newPassword", "confirmPassword"],
    wrong: { token: "short", newPassword: "12345", confirmPassword: "another password" },
  },
  "GET /api/auth/email-link": { gets: anyone(410) },
  "POST /api/auth/confirm-email": {
    gets: anyone(410),
    schema: emailConfirmationSchema,
    body: () => ({ token: "t".repeat(43) }),
    required: ["token"],
    wrong: { token: "short" },
  },
  "POST /api/user/pending-email": { gets: signedIn(503), refusesImpersonation: true },
  "DELETE /api/user/pending-email": { gets: signedIn(), refusesImpersonation: true },
  "GET /api/user/personal-info": { gets: signedIn() },
  "PUT /api/user/personal-info": {
    gets: signedIn(),
    schema: personalInfoSchema,
    body: () => ({ firstName: "Pat", lastName: "Provider", phone: "0491 570 006" }),
    required: ["firstName", "lastName", "phone"],
    wrong: {
      firstName: " ",
      lastName: "",
      phone: "12345",
      email: "not an address",
      companyName: "x".repeat(121),
      businessAddress: "x".repeat(201),
      abn: "1".repeat(21),
      insuranceDetails: "x".repeat(501),
      serviceAreas: "x".repeat(1001),
    },
  },
  "GET /api/user/bank-details": { gets: owner(), refusesImpersonation: true },
  "PUT /api/user/bank-details": {
    gets: owner(),
    refusesImpersonation: true,
    schema: bankDetailsSchema,
    body: () => ({
      bankName: "Harbour Bank",
      accountName: "Pat",
      bsb: "062-000",
      accountNumber: "1234 5678",
    }),
    required: [],
    wrong: {
      bankName: "x".repeat(81),
      accountName: "x".repeat(81),
      bsb: "06200",
      accountNumber: "12345678901",
    },
  },
  // Callers keep their accounts, so the password is wrong.
  "POST /api/user/closure": {
    gets: [401, 400, 400, 400, 403, 400],
    refusesImpersonation: true,
    schema: confirmPasswordSchema,
    body: () => ({ password: "not their password" }),
    required: ["password"],
    wrong: { password: "" },
  },
  "GET /api/user/suggested-regions": { gets: business() },
  "GET /api/user/text-templates": { gets: business() },
  "PUT /api/user/text-templates": {
    gets: owner(),
    schema: textTemplatesSchema,
    body: () => ({ templates: [{ name: "On my way", text: "Hi {name}, on my way." }] }),
    required: ["templates"],
    wrong: { templates: [{ name: "Long", text: "x".repeat(301) }] },
  },
  "GET /api/user/home": { gets: business() },
  "GET /api/user/profile": { gets: owner() },
  "PUT /api/user/profile": {
    gets: owner(),
    refusesImpersonation: true,
    schema: profileSchema,
    body: () => ({
      words: "We mow lawns and trim hedges in the inner west, and have done so for twelve years.",
      basedIn: "Leichhardt 2040",
      councils: ["Inner West Council"],
      isPublic: true,
    }),
    required: ["words", "basedIn", "councils", "isPublic"],
    wrong: {
      words: "Mowing.",
      basedIn: "Atlantis",
      councils: ["Atlantis City Council"],
      isPublic: "yes",
    },
  },
  "PUT /api/user/services": {
    gets: owner(),
    schema: servicesSchema,
    body: () => ({ services: ["lawn_mowing"] }),
    required: ["services"],
    wrong: { services: ["car_wash"] },
  },
  "GET /api/user/sessions": { gets: signedIn() },
  "GET /api/user/sign-ins": { gets: signedIn() },
  "DELETE /api/user/sessions": { gets: signedIn(), refusesImpersonation: true },
  "DELETE /api/user/sessions/:id": { gets: signedIn(404), refusesImpersonation: true },
  "PUT /api/user/password": {
    gets: signedIn(),
    refusesImpersonation: true,
    schema: passwordChangeSchema,
    body: () => ({ currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD }),
    required: ["currentPassword", "newPassword", "confirmPassword"],
    wrong: { currentPassword: "", newPassword: "12345", confirmPassword: "another password" },
  },
  "PUT /api/user/watched-regions": {
    gets: business(),
    schema: watchedRegionsSchema,
    body: () => ({ regions: ["inner-west"] }),
    required: ["regions"],
    wrong: { regions: [] },
  },
} satisfies RouteTable;
