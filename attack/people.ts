/** The callers of the attack, and the people whose details they must never read. */
import { normalise } from "./traces.ts";

/** The public key that browsers subscribe with. The private key signs. */
const PUSH_PUBLIC_KEY =
  "BFpECNVNONDT_FOGvqLYd3vHCf1WkZprrIbmCcMWLuRl7WjCsPjI3gljXAvc4MGRr7vWxhQL141ikoCx7F1E5R8";
const PUSH_PRIVATE_KEY = "pblxbYUIq-_VI-dYrcljyUe2yDMnwnH1jhd82Hkejqw";

/** Secrets that no response may ever contain. */
export const SECRETS = {
  STRIPE_SECRET_KEY: "sk_test_attackedsecret",
  STRIPE_WEBHOOK_SECRET: "whsec_attackedsecret",
  BANK_DETAILS_KEYS: "attack:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  ORIGIN_HASH_KEY: "attackedhashkey0123456789",
  PUSH_KEYS: `${PUSH_PUBLIC_KEY}.${PUSH_PRIVATE_KEY}`,
} as const;

/**
 * `provider` and `stranger` each own a business, and `team` works for the provider. `impersonating` is the admin while
 * impersonating the provider. `deactivated` is a provider with a deactivated account.
 */
export const CALLERS = [
  "visitor",
  "customer",
  "provider",
  "stranger",
  "team",
  "admin",
  "impersonating",
  "deactivated",
] as const;
export type CallerKind = (typeof CALLERS)[number];

/** A person's planted details: words that occur nowhere else, and the callers who may read them. */
type PlantedDetail = {
  ownerLabel: string;
  traces: readonly string[];
  readers: readonly CallerKind[];
  /** Whether the traces are IDs. These are not personal details, so our log and messages may contain them. */
  isId?: true;
};

/** Normalises a person's details to lower-case letters and digits, so that any spelling matches. */
function tracesOf(surname: string, phone: string): string[] {
  return [surname.toLowerCase(), phone.replaceAll(/\D/g, "").slice(1)];
}

export const PROVIDER = { email: "owner.mail@example.org", phone: "0491 572 549" } as const;
export const RIVAL = { email: "rival.mail@example.org", phone: "0491 572 665" } as const;
export const LISTED = ["Quillfeather", "0491 571 266"] as const;
export const SOLD = ["Brindlewick", "0491 571 491"] as const;
export const BOOKED = ["Thistledew", "0491 571 804"] as const;
export const BANK_NUMBER = "918273645";

/** People whose requests are erased at the end. */
export const ERASED = [LISTED, SOLD, BOOKED] as const;

/** Marks of a tenant's rows: one for text, and one for IDs, which allow only lower-case letters and digits. */
export type Mark = { word: string; ref: string };

/** Marks by who may read them. Team members may read the business's rows, but not the owner's personal rows. */
export const MARKS = {
  business: { word: "quandongbrook", ref: "quandongref" },
  owner: { word: "tawnyfrogmouth", ref: "tawnyfrogref" },
  team: { word: "ganggangperch", ref: "ganggangref" },
  stranger: { word: "bilbyhollow", ref: "bilbyhollowref" },
  admins: { word: "bogongledger", ref: "bogongledgerref" },
} as const satisfies Record<string, Mark>;

const MARK_READERS: Readonly<Record<keyof typeof MARKS, readonly CallerKind[]>> = {
  business: ["provider", "team", "impersonating", "admin"],
  owner: ["provider", "impersonating", "admin"],
  team: ["team", "admin"],
  stranger: ["stranger", "admin"],
  admins: ["admin"],
};

const MARKED = Object.entries(MARKS).flatMap(([group, { word, ref }]): PlantedDetail[] => {
  const readers = MARK_READERS[group as keyof typeof MARKS];
  return [
    { ownerLabel: `rows of ${group}`, traces: [word], readers },
    { ownerLabel: `ids of ${group}`, traces: [ref], readers, isId: true },
  ];
});

/** All planted details, and our own secrets, which no caller may read. */
export const PLANTED: readonly PlantedDetail[] = [
  { ownerLabel: "a customer on the market", traces: tracesOf(...LISTED), readers: ["admin"] },
  {
    ownerLabel: "a customer sold",
    traces: tracesOf(...SOLD),
    readers: ["provider", "team", "impersonating", "admin"],
  },
  { ownerLabel: "a customer who booked", traces: tracesOf(...BOOKED), readers: ["admin"] },
  {
    ownerLabel: "the provider",
    traces: ["ownermailexample", "491572549"],
    readers: ["provider", "team", "impersonating", "admin"],
  },
  { ownerLabel: "the rival", traces: ["rivalmailexample", "491572665"], readers: ["stranger", "admin"] },
  { ownerLabel: "the customer", traces: ["visitormailexample", "491572983"], readers: ["customer", "admin"] },
  { ownerLabel: "the provider's bank", traces: [BANK_NUMBER], readers: ["provider"] },
  ...MARKED,
  {
    ownerLabel: "our secrets",
    traces: [
      ...Object.values(SECRETS).map((secret) => normalise(secret)),
      normalise(PUSH_PRIVATE_KEY),
      "passwordhash",
    ],
    readers: [],
  },
];
