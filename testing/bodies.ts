/** A valid body for every route that reads one. If a new route has no entry here, two tests fail. */
import { getPauseDayRange } from "../contract/lead-alerts.ts";
import type { LeadRequest, screeningFields } from "../contract/leads.ts";
import { requestChangeSchema } from "../contract/request-links.ts";
import { newId } from "../worker/platform/ids.ts";
import { bookingRequest, PASSWORD, quoteRequest } from "./world.ts";

type BodyRoute = {
  /** The user who may call the route; a provider by default. */
  caller?: "admin";
  body: () => Record<string, unknown>;
  /** Required fields. */
  required: readonly string[];
  /** An invalid value for each required field, and for other fields worth testing. */
  wrong: Readonly<Record<string, unknown>>;
};

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

const proof: BodyRoute = {
  body: () => ({
    credential: {
      ...credential,
      response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA", userHandle: null },
    },
  }),
  required: ["credential"],
  wrong: { credential: { ...credential, response: { clientDataJSON: "{}" } } },
};

const claim: BodyRoute = {
  body: () => ({ leadId: "lead_inner-west_00000000000000000000", amount: 5000 }),
  required: ["leadId", "amount"],
  wrong: { leadId: "lead_x", amount: 50.5 },
};

export const BODY_ROUTES: Readonly<Record<string, BodyRoute>> = {
  "POST /api/auth/login": {
    // A new name each time, because wrong passwords delay the next attempt at one.
    body: () => ({ username: `unknown-${newId("user").slice(5)}`, password: PASSWORD }),
    required: ["username", "password"],
    wrong: { username: "  ", password: "" },
  },
  "POST /api/auth/passkey": proof,
  "POST /api/auth/second-factor": proof,
  "POST /api/auth/confirm/passkey": proof,
  "POST /api/auth/recovery-code": {
    body: () => ({ code: "abcd-efgh-2345-6789" }),
    required: ["code"],
    wrong: { code: "abcd" },
  },
  "POST /api/auth/confirm/password": {
    body: () => ({ password: PASSWORD }),
    required: ["password"],
    wrong: { password: "" },
  },
  "POST /api/passkeys": {
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
    body: () => ({ name: "Kitchen tablet" }),
    required: ["name"],
    wrong: { name: "x".repeat(61) },
  },
  "POST /api/auth/provider/signup": {
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
    body: person,
    required: ["username", "password", "firstName", "lastName"],
    wrong: personWrong,
  },
  "POST /api/auth/impersonate": {
    caller: "admin",
    body: () => ({ targetUserId: "user_00000000000000000000" }),
    required: ["targetUserId"],
    wrong: { targetUserId: "somebody" },
  },
  "POST /api/super-admin/bookings/:id/handled": {
    body: () => ({ handled: true }),
    required: ["handled"],
    wrong: { handled: "yes" },
  },
  "POST /api/super-admin/attention/resolve": {
    body: () => ({ kind: "refund_failed", subjectId: "pay_00000000000000000000" }),
    required: ["kind", "subjectId"],
    wrong: { kind: "Refund failed", subjectId: "" },
  },
  "PUT /api/super-admin/messages/channels/:id": {
    body: () => ({ isOn: true, mostADay: 1_000 }),
    // Notifications have no limit.
    required: ["isOn"],
    wrong: { isOn: "yes", mostADay: 100_001 },
  },
  "POST /api/super-admin/messages/person": {
    body: () => ({ address: "0491 570 156" }),
    required: ["address"],
    wrong: { address: "12345" },
  },
  "PUT /api/super-admin/messages/stops": {
    body: () => ({ address: "anna100@example.com", isStopped: true }),
    required: ["address", "isStopped"],
    wrong: { address: "not an address", isStopped: "yes" },
  },
  "POST /api/requests/withdraw": {
    body: () => ({ token: newId("link") }),
    required: ["token"],
    wrong: { token: "t".repeat(65) },
  },
  "POST /api/requests/call-answer": {
    body: () => ({ token: newId("link"), answer: "not_yet" }),
    required: ["token", "answer"],
    wrong: { token: "t".repeat(65), answer: "maybe" },
  },
  "POST /api/requests/guarantee": {
    body: () => ({ token: newId("link"), answer: "wrong_number" }),
    required: ["token", "answer"],
    wrong: { token: "t".repeat(65), answer: "maybe" },
  },
  "POST /api/requests/contact": {
    body: () => ({ token: "made-up", contactMethod: "text", contactTime: "evening" }),
    required: ["token"],
    wrong: { token: "t".repeat(65), contactMethod: "pigeon", contactTime: "midnight" },
  },
  "POST /api/requests/change": {
    body: () => ({ token: newId("link"), ...requestChangeSchema.parse(quoteRequest()) }),
    required: ["token", "serviceType", "propertyType", "propertySize", "urgency", "frequency"],
    wrong: {
      token: "t".repeat(65),
      serviceType: [],
      propertyType: "castle",
      propertySize: "huge",
      urgency: "now",
      frequency: "hourly",
      hasPets: "yes",
      specificRequests: "x".repeat(2001),
      customerName: "x".repeat(101),
      customerAddress: "PO Box 12, Leichhardt NSW 2040",
    },
  },
  "POST /api/requests/phone": {
    body: () => ({ token: newId("link"), lastDigits: "0123", customerPhone: "02 5550 0124" }),
    required: ["token", "lastDigits", "customerPhone"],
    wrong: { token: "t".repeat(65), lastDigits: "123", customerPhone: "12345", customerEmail: "no address" },
  },
  "POST /api/requests/erase": {
    body: () => ({ token: newId("link"), lastDigits: "0123" }),
    required: ["token", "lastDigits"],
    wrong: { token: "t".repeat(65), lastDigits: "12345" },
  },
  "PATCH /api/photos/:id": {
    body: () => ({ isOffered: true }),
    required: ["isOffered"],
    wrong: { isOffered: "yes" },
  },
  "POST /api/photos/:id/removal": {
    body: () => ({ token: "made-up" }),
    required: [],
    wrong: { token: "t".repeat(65), uploadToken: "short" },
  },
  "POST /api/photos/:id/agreement": {
    body: () => ({ token: "made-up", isAgreed: true }),
    required: ["token", "isAgreed"],
    wrong: { token: "t".repeat(65), isAgreed: "yes" },
  },
  "POST /api/my-requests/links": {
    body: () => ({ email: "unknown@example.com" }),
    required: ["email"],
    wrong: { email: "not an address" },
  },
  "POST /api/my-requests/open": {
    body: () => ({ token: "made-up" }),
    required: ["token"],
    wrong: { token: "t".repeat(65) },
  },
  "POST /api/my-requests/request-links": {
    body: () => ({ token: "made-up", leadId: "lead_inner-west_00000000000000000000" }),
    required: ["leadId"],
    wrong: { token: "t".repeat(65), leadId: "lead" },
  },
  "POST /api/email-stops": {
    body: () => ({ token: "made-up", isStopped: true }),
    required: ["token", "isStopped"],
    wrong: { token: "t".repeat(201), isStopped: "yes" },
  },
  "PATCH /api/super-admin/suburbs/:id": {
    body: () => ({ priceFrom: 52 }),
    required: [],
    wrong: {
      isActive: "yes",
      priceFrom: 0,
      description: "x".repeat(4001),
      phone: "x".repeat(41),
      email: "x".repeat(255),
      address: "x".repeat(201),
      openingHours: "x".repeat(401),
    },
  },
  "POST /api/super-admin/leads/:id/release": {
    // The admin read a request that was stored at this time.
    body: () => ({ redactedAt: 1 }),
    // Null for a request without a redaction.
    required: [],
    wrong: { redactedAt: "now" },
  },
  "POST /api/super-admin/leads/:id/drop": {
    body: () => ({ reason: null }),
    required: [],
    wrong: { reason: "x".repeat(501) },
  },
  "POST /api/super-admin/payments/:id/refund": {
    body: () => ({ reason: "The number belongs to someone else" }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  "POST /api/super-admin/duds/:id/answer": {
    body: () => ({ decision: "granted" }),
    required: ["decision"],
    wrong: { decision: "maybe", answer: "x".repeat(1001) },
  },
  "POST /api/super-admin/checks/:id/decision": {
    caller: "admin",
    body: () => ({ decision: "valid", seenOn: "2026-11-25", endsOn: null }),
    required: ["decision"],
    wrong: { decision: "maybe", seenOn: "yesterday", endsOn: "2026-02-30", reason: "x".repeat(501) },
  },
  "POST /api/user/checks": {
    body: () => ({ kind: "abn", number: "51 824 753 556" }),
    required: ["kind"],
    wrong: { kind: "card", number: "x".repeat(41) },
  },
  "POST /api/super-admin/guarantee/:id/answer": {
    body: () => ({ decision: "granted" }),
    required: ["decision"],
    wrong: { decision: "maybe", answer: "x".repeat(1001) },
  },
  "POST /api/lead-purchases/:id/contest": {
    body: () => ({ note: "I have the call records" }),
    required: ["note"],
    wrong: { note: "x".repeat(1001) },
  },
  "POST /api/reviews": {
    body: () => ({ token: newId("link"), stars: 4, words: "Neat edges, and on time." }),
    required: ["token", "stars"],
    wrong: { token: "t".repeat(65), stars: 6, words: "x".repeat(1501) },
  },
  "POST /api/reviews/:id/reply": {
    body: () => ({ reply: "Thank you" }),
    required: ["reply"],
    wrong: { reply: "x".repeat(1001) },
  },
  "POST /api/super-admin/reviews/:id": {
    body: () => ({ rule: "abuse" }),
    // Null shows a hidden review.
    required: [],
    wrong: { rule: "too_negative" },
  },
  "POST /api/lead-purchases/:id/dud": {
    body: () => ({ reason: "disconnected" }),
    required: ["reason"],
    wrong: { reason: "rude", note: "x".repeat(1001) },
  },
  "PATCH /api/super-admin/providers/:id": {
    body: () => ({ isActive: true }),
    required: ["isActive"],
    wrong: { isActive: "yes", reason: "x".repeat(501) },
  },
  "POST /api/super-admin/providers/:id/notes": {
    body: () => ({ text: "Rings back within the hour" }),
    required: ["text"],
    wrong: { text: " " },
  },
  "PUT /api/super-admin/providers/:id/profile": {
    body: () => ({ isHidden: false, reason: null }),
    required: ["isHidden"],
    wrong: { isHidden: "yes", reason: "x".repeat(501) },
  },
  "POST /api/super-admin/providers/:id/message": {
    body: () => ({ text: "Your insurance runs out on Friday." }),
    required: ["text"],
    wrong: { text: "" },
  },
  "PUT /api/user/password": {
    body: () => ({ currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD }),
    required: ["currentPassword", "newPassword", "confirmPassword"],
    wrong: { currentPassword: "", newPassword: "12345", confirmPassword: "another password" },
  },
  "PUT /api/user/personal-info": {
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
  "PUT /api/user/bank-details": {
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
  "PUT /api/user/text-templates": {
    body: () => ({ templates: [{ name: "On my way", text: "Hi {name}, on my way." }] }),
    required: ["templates"],
    wrong: { templates: [{ name: "Long", text: "x".repeat(301) }] },
  },
  "PUT /api/user/profile": {
    body: () => ({
      words: "We mow lawns and trim hedges in the inner west, and have done so for twelve years.",
      services: ["lawn_mowing", "hedge_trimming"],
      basedIn: "Leichhardt 2040",
      councils: ["Inner West Council"],
      isPublic: true,
    }),
    required: ["words", "services", "basedIn", "councils", "isPublic"],
    wrong: {
      words: "Mowing.",
      services: ["car_wash"],
      basedIn: "Atlantis",
      councils: ["Atlantis City Council"],
      isPublic: "yes",
    },
  },
  "PUT /api/user/services": {
    body: () => ({ services: ["lawn_mowing"] }),
    required: ["services"],
    wrong: { services: ["car_wash"] },
  },
  "POST /api/auth/forgot-password": {
    body: () => ({ username: "nobody-here" }),
    required: ["username"],
    wrong: { username: "  " },
  },
  "POST /api/auth/confirm-email": {
    body: () => ({ token: "t".repeat(43) }),
    required: ["token"],
    wrong: { token: "short" },
  },
  "POST /api/auth/reset-password": {
    body: () => ({ token: "t".repeat(43), newPassword: PASSWORD, confirmPassword: PASSWORD }),
    required: ["token", "newPassword", "confirmPassword"],
    wrong: { token: "short", newPassword: "12345", confirmPassword: "another password" },
  },
  "POST /api/team-members": {
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
  "PUT /api/team-members/:id/alerts": {
    body: () => ({ sales: true, mentions: false }),
    required: ["sales", "mentions"],
    wrong: { sales: "yes", mentions: 1 },
  },
  "POST /api/leads/manual": {
    body: () => ({
      customerName: "Walter Wiese",
      customerPhone: "0491 570 006",
      serviceType: ["lawn_care"],
      urgency: "flexible",
    }),
    required: ["customerName", "customerPhone", "serviceType", "urgency"],
    wrong: {
      submissionId: "short",
      customerName: " ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "x".repeat(201),
      preferredLocation: "x".repeat(101),
      serviceType: [],
      propertyType: "castle",
      propertySize: "tiny",
      frequency: "hourly",
      urgency: "yesterday",
      budgetConcern: "what budget",
      previousExperience: "plenty",
      specificRequests: "x".repeat(2001),
    },
  },
  "POST /api/leads": {
    body: () => ({ ...quoteRequest() }),
    required: [
      "customerName",
      "customerPhone",
      "customerAddress",
      "serviceType",
      "propertyType",
      "propertySize",
      "urgency",
      "frequency",
      "budgetConcern",
      "previousExperience",
    ],
    wrong: {
      submissionId: "short",
      customerName: " ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "1 A",
      serviceType: [],
      propertyType: "castle",
      propertySize: "tiny",
      grassType: "moss",
      urgency: "yesterday",
      frequency: "hourly",
      accessRequirements: "helicopter",
      budgetConcern: "what budget",
      previousExperience: "plenty",
      specificRequests: "x".repeat(2001),
      lawnCondition: "scorched",
      hasSlopes: "yes",
      hasPets: 1,
      preferredTime: "midnight",
      additionalServices: ["juggling"],
      preferredLocation: "x".repeat(101),
      contactMethod: "pigeon",
      contactTime: "midnight",
      suburbId: "Leichhardt",
      addressSuburb: "x".repeat(61),
      addressPostcode: "x".repeat(11),
      consentWording: "x".repeat(41),
    } satisfies Record<Exclude<keyof LeadRequest, keyof typeof screeningFields>, unknown>,
  },
  "POST /api/bookings": {
    body: () => ({ ...bookingRequest() }),
    required: ["name", "phone", "email", "vehicle", "serviceType", "propertySize"],
    wrong: {
      submissionId: "short",
      name: "A",
      phone: "12345",
      email: "not an address",
      vehicle: "x".repeat(121),
      serviceType: "car_wash",
      propertySize: "tiny",
      preferredDate: "2026-02-30",
      message: "x".repeat(2001),
      suburbId: "Leichhardt",
      consentWording: "x".repeat(41),
    },
  },
  "POST /api/leads/:id/purchase": {
    body: () => ({ buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" }),
    required: ["buyerName", "buyerEmail", "buyerPhone"],
    wrong: { buyerName: "", buyerEmail: "pat", buyerPhone: "000", buyerCompany: "x".repeat(121) },
  },
  "POST /api/exchange/holds": claim,
  "POST /api/create-payment-intent": claim,
  "POST /api/payments/settle": {
    body: () => ({ holdId: "hold_00000000000000000000" }),
    required: ["holdId"],
    wrong: { holdId: "hold", buyer: "Pat" },
  },
  "POST /api/payments/keep-card": {
    body: () => ({ holdId: "hold_00000000000000000000", consent: null }),
    required: ["holdId"],
    wrong: { holdId: "hold", consent: "yes" },
  },
  "POST /api/payments/pay-saved": {
    body: () => ({ holdId: "hold_00000000000000000000", cardId: "pm_0000000000" }),
    required: ["holdId", "cardId"],
    wrong: { holdId: "hold", cardId: "4242", buyer: "Pat" },
  },
  "PATCH /api/lead-purchases/:id/sales-stage": {
    body: () => ({ salesStage: "called" }),
    required: [],
    wrong: {
      salesStage: "finalised",
      undoes: "finalised",
      salesNotes: "x".repeat(20_001),
      customerPaymentAmount: "12.345",
      nextActionAt: "tomorrow",
      nextActionNote: "x".repeat(201),
      assignedTo: "x".repeat(65),
      notesVersion: -1,
      changeKey: "short",
      was: { salesStage: "finalised" },
      madeBy: "x".repeat(65),
    },
  },
  "PATCH /api/lead-purchases/:id/customer": {
    body: () => ({ customerPhone: "0491 570 157" }),
    required: [],
    wrong: {
      customerName: "  ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "x".repeat(201),
    },
  },
  "POST /api/lead-purchases/:id/contacts": {
    body: () => ({ outcome: "no_answer", entryKey: crypto.randomUUID() }),
    required: ["outcome", "entryKey"],
    wrong: { outcome: "accepted_lead", entryKey: "short", at: -1, madeBy: "x".repeat(65) },
  },
  "POST /api/lead-purchases/:id/answers-seen": {
    body: () => ({ upTo: 1 }),
    required: ["upTo"],
    wrong: { upTo: "now" },
  },
  "POST /api/super-admin/leads/:id/withdraw": {
    body: () => ({ reason: "The customer rang: they found someone." }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  "POST /api/super-admin/regions/:id/pause": {
    body: () => ({ reason: "Storms, mowing is not possible" }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  "POST /api/super-admin/leads/:id/move": {
    body: () => ({ region: "blacktown" }),
    required: ["region"],
    wrong: { region: "atlantis" },
  },
  "PUT /api/user/watched-regions": {
    body: () => ({ regions: ["inner-west"] }),
    required: ["regions"],
    wrong: { regions: [] },
  },
  "PUT /api/notifications/quiet-hours": {
    body: () => ({ isOn: true, startsAt: "21:30", endsAt: "06:45" }),
    required: ["isOn", "startsAt", "endsAt"],
    wrong: { isOn: "yes", startsAt: "9 pm", endsAt: "24:00" },
  },
  "PUT /api/notifications/lead-alerts": {
    body: () => ({
      regions: ["inner-west"],
      services: ["lawn_mowing"],
      urgencies: ["urgent", "within_week"],
      leastSize: "medium",
      pausedUntil: getPauseDayRange(Date.now()).first,
    }),
    // An omitted field stays unchanged. Null matches everything.
    required: [],
    wrong: {
      regions: ["atlantis"],
      services: [],
      urgencies: ["someday"],
      leastSize: "paddock",
      pausedUntil: "2026-01-01",
    },
  },
  "POST /api/notifications/devices": {
    body: () => ({
      endpoint: "https://fcm.googleapis.com/fcm/send/abc",
      p256dh: `B${"A".repeat(86)}`,
      auth: "A".repeat(22),
    }),
    required: ["endpoint", "p256dh", "auth"],
    wrong: { endpoint: "http://127.0.0.1/", p256dh: "A".repeat(87), auth: "" },
  },
};

/** Routes that change data but read no body. */
export const BODILESS_ROUTES: readonly string[] = [
  "POST /api/lead-purchases/:id/archive",
  "POST /api/lead-purchases/:id/restore",
  "DELETE /api/lead-purchases/:id",
  "DELETE /api/super-admin/reviews/:id/reply",
  // The body is the photo itself.
  "POST /api/photos",
  "POST /api/photos/own/:kind",
  "POST /api/photos/purchases/:id/:kind",
  "DELETE /api/photos/:id",
  "POST /api/auth/logout",
  "POST /api/auth/passkey/options",
  "POST /api/auth/second-factor/options",
  "POST /api/auth/confirm/passkey/options",
  "POST /api/passkeys/options",
  "POST /api/passkeys/recovery-codes",
  "DELETE /api/passkeys/:id",
  "POST /api/auth/stop-impersonation",
  "POST /api/super-admin/providers/:id/password-link",
  "DELETE /api/super-admin/provider-notes/:id",
  "POST /api/super-admin/leads/:id/wrong-number",
  "POST /api/super-admin/regions/:id/resume",
  "POST /api/leads/:id/claim-with-credit",
  "DELETE /api/exchange/holds/:id",
  "DELETE /api/team-members/:id",
  "POST /api/team-members/:id/password-link",
  "POST /api/user/pending-email",
  "DELETE /api/user/pending-email",
  "DELETE /api/notifications/devices/:id",
  "POST /api/super-admin/messages/:id/again",
  "POST /api/notifications/devices/:id/test",
  "DELETE /api/user/sessions",
  "DELETE /api/user/sessions/:id",
  "DELETE /api/payments/cards/:id",
  "POST /api/super-admin/claim-lead/:id",
  "POST /api/super-admin/assign-lead/:leadId/:providerId",
  // Reads the raw body, which is a file.
  "POST /api/user/checks/insurance",
  // Reads the raw body, because the signature covers it.
  "POST /api/stripe/webhook",
  // Authenticates the caller before it reads the body.
  "POST /api/sms/webhook/:secret",
];
