import type { LeadSummary } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import { CATCH_ALL_REGION, isRegion, type Region } from "../../contract/regions.ts";
import type { leads } from "../db/schema.ts";
import type { Place } from "../suburbs/rules.ts";

export type LeadRow = typeof leads.$inferSelect;

/** What a lead's row says of its place; without one (null), it belongs to the catch-all region. */
export function placeOf(place: Place | null) {
  const region: Region = place && isRegion(place.region) ? place.region : CATCH_ALL_REGION;
  return {
    suburbId: place?.id ?? null,
    suburbName: place?.name ?? null,
    suburbPostcode: place?.postcode ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    region,
  };
}

export const BLANK = "▮▮▮";

const STREET_KINDS =
  "st|street|rd|road|ave?|avenue|cres(?:cent)?|ct|court|dr(?:ive)?|pl(?:ace)?|ln|lane|pde|parade|hwy|highway|cl(?:ose)?|bvd|blvd|boulevard|tce|terrace|way|cct|circuit|gr(?:ove)?|esp(?:lanade)?|sq(?:uare)?|loop|walk|rise|row|mews|track|view";

const DIGIT_WORDS = "zero|oh|nought|nil|one|two|three|four|five|six|seven|eight|nine|double|triple";
/* A digit in any script, the letters O, l and I among digits, or a digit's name. */
const DIGIT = String.raw`(?:\p{Nd}|(?<=\P{L}|[oOlI])[oOlI](?!(?![oOlI])\p{L})|(?<!\p{L})(?:${DIGIT_WORDS})(?!\p{L}))`;
const DIGIT_GAP = String.raw`[\s().\-\u2010-\u2015\u2212/_,*:;|·•~+]{0,3}`;

const NAME = String.raw`[\p{L}\p{N}._%+-]+`;
const HOST = String.raw`[\p{L}\p{N}-]+`;
const AT = String.raw`(?:@|[([{<]\s*(?:at|@)\s*[)\]}>])`;
const WRAPPED_DOT = String.raw`[([{<]\s*(?:dot|\.)\s*[)\]}>]`;
const MAIL_HOSTS = "gmail|googlemail|hotmail|outlook|yahoo|icloud|bigpond|optusnet|proton(?:mail)?";
const DOMAIN_ENDS =
  "com|net|org|info|biz|io|co|me|app|shop|site|online|au|nz|uk|xyz|dev|link|ly|page|website|store|blog|tech|eu|tv|gg|cc";

/* Each takes away one way of being reached. They may take too much; they must not take too little. */
const CONTACT_PATTERNS: readonly RegExp[] = [
  // e-mail: "jo@mail.com", "jo (at) mail [dot] com"
  new RegExp(`${NAME}\\s*${AT}\\s*${HOST}(?:\\s*(?:\\.|${WRAPPED_DOT}|\\bdot\\b)\\s*${HOST})*`, "giu"),
  // e-mail written out: "jo at mail dot com", "jo at mail.com", "jo at gmail"
  new RegExp(
    `(?<![\\p{L}\\p{N}])${NAME}\\s+at\\s+${HOST}(?:(?:\\.|\\s*${WRAPPED_DOT}\\s*|\\s+dot\\s+)[\\p{L}\\p{N}]{2,})+`,
    "giu",
  ),
  new RegExp(`(?<![\\p{L}\\p{N}])${NAME}\\s+at\\s+(?:${MAIL_HOSTS})\\b`, "giu"),
  // links and bare domains, also written out
  /\b(?:https?:\/\/|www\.)\S+/giu,
  new RegExp(
    `(?<![\\p{L}\\p{N}])${HOST}(?:\\.${HOST})*\\.(?:${DOMAIN_ENDS})(?:\\.[a-z]{2})?(?:/\\S*)?(?![\\p{L}\\p{N}])`,
    "giu",
  ),
  new RegExp(`(?<![\\p{L}\\p{N}])${HOST}(?:\\s+dot\\s+${HOST})*\\s+dot\\s+(?:${DOMAIN_ENDS})\\b`, "giu"),
  new RegExp(`(?<![\\p{L}\\p{N}])${HOST}(?:\\s*${WRAPPED_DOT}\\s*${HOST})+`, "giu"),
  // handles
  /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{3,}/giu,
  // phone numbers: seven digits or more, however they are spaced or written
  new RegExp(`\\+?${DIGIT}(?:${DIGIT_GAP}${DIGIT}){6,}`, "gu"),
  // phone numbers in words
  new RegExp(`\\b(?:(?:${DIGIT_WORDS})[\\s,.-]*){5,}`, "giu"),
  // post boxes
  /\bp\.?\s*o\.?\s*box\s*\d+/giu,
  // street addresses: "12/34a Banksia Street", "Unit 3, 34 Banksia St"
  new RegExp(
    `\\b(?:(?:unit|flat|apt|apartment|shop|lot|level|no\\.?|number)\\s*\\d+[a-z]?\\s*[,/]?\\s*)?\\d+[a-z]?(?:\\s*[/-]\\s*\\d+[a-z]?)?[\\s,]+(?:[\\p{L}'’-]+\\s+){1,4}(?:${STREET_KINDS})\\b\\.?`,
    "giu",
  ),
  // a street by name: "Banksia Street"
  /\b(?:\p{Lu}[\p{L}'’-]+\s+){1,3}(?:Street|Road|Avenue|Crescent|Court|Drive|Place|Lane|Parade|Highway|Close|Boulevard|Terrace|Circuit|Grove|Esplanade|St|Rd|Ave|Cres|Ct|Dr|Pde|Hwy|Tce|Cct)\b\.?/gu,
];

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function isKind(word: string): boolean {
  return new RegExp(`^(?:${STREET_KINDS})$`, "i").test(word);
}

/** The customer's own words that must not show: surname, address parts, mail box, phone. */
function ownWords(
  lead: Pick<
    LeadRow,
    "customerName" | "customerAddress" | "customerEmail" | "customerPhone" | "suburbName" | "suburbPostcode"
  >,
): string[] {
  const open = new Set(
    `${lead.suburbName ?? ""} ${lead.suburbPostcode ?? ""} nsw australia`.toLowerCase().split(/\s+/),
  );
  // Both halves of a double name as well; a single letter shows as the initial anyway.
  const surnames = lead.customerName
    .split(/\s+/)
    .slice(1)
    .flatMap((name) => [name, ...name.split("-")])
    .filter((name) => name.length > 1);
  const address = lead.customerAddress.split(/[\s,]+/);
  const street = address.filter((word) => word.length > 3 && !isKind(word));
  // "Oak" alone would blank too much, "Oak Street" does not.
  const shortStreet = address.flatMap((word, i) =>
    word.length <= 3 && isKind(address[i + 1] ?? "")
      ? [address[i + 1], "street", "st", "road", "rd", "avenue", "ave"].map((kind) => `${word} ${kind}`)
      : [],
  );
  const mail = lead.customerEmail ? [lead.customerEmail, lead.customerEmail.split("@")[0]!] : [];
  return [...surnames, ...street, ...shortStreet, ...mail, lead.customerPhone].filter(
    (word) => word.length > 1 && !open.has(word.toLowerCase()),
  );
}

/** The same letters in one spelling: no invisible characters, plain digits and apostrophes. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\uFE0F\u20E3]/gu, "")
    .replaceAll(/[‘’ʼ]/g, "'");
}

/**
 * Free text with every way of reaching the customer blanked.
 * @param text what the visitor wrote
 * @param own words of this customer to blank wherever they stand, also in the plural
 */
export function redact(text: string, own: readonly string[] = []): string {
  let result = plain(text);
  for (const pattern of CONTACT_PATTERNS) result = result.replaceAll(pattern, BLANK);
  for (const word of own) {
    result = result.replaceAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(plain(word))}s?(?![\\p{L}\\p{N}])`, "giu"),
      BLANK,
    );
  }
  return result;
}

/** First name and the surname's initial: "Anna Brown" is "Anna B."; odd input shows as "Customer". */
export function maskName(name: string): string {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  if (!/^[\p{L}][\p{L}'’-]{0,30}$/u.test(first)) return "Customer";
  const initial = /^\p{L}/u.exec(rest.at(-1) ?? "")?.[0];
  return initial ? `${first} ${initial.toUpperCase()}.` : first;
}

/** The last three digits, the rest as dots. */
export function maskPhone(phone: string): string {
  return `•••• ••• ${phone.replaceAll(/\D/g, "").slice(-3)}`;
}

/** What a lead says about the job and its suburb: the part that is not about reaching the customer. */
export function jobOf(lead: LeadRow) {
  return {
    suburbName: lead.suburbName,
    suburbPostcode: lead.suburbPostcode,
    region: lead.region,
    serviceType: lead.serviceType,
    propertyType: lead.propertyType,
    propertySize: lead.propertySize,
    grassType: lead.grassType,
    urgency: lead.urgency,
    frequency: lead.frequency,
    accessRequirements: lead.accessRequirements,
    budgetConcern: lead.budgetConcern,
    previousExperience: lead.previousExperience,
    specificRequests: lead.specificRequests,
    lawnCondition: lead.lawnCondition,
    hasSlopes: lead.hasSlopes,
    hasPets: lead.hasPets,
    preferredTime: lead.preferredTime,
    additionalServices: lead.additionalServices,
    preferredLocation: lead.preferredLocation,
  };
}

/** How the customer is reached, in full. */
export function contactOf(lead: LeadRow) {
  return {
    customerName: lead.customerName,
    customerPhone: lead.customerPhone,
    customerEmail: lead.customerEmail,
    customerAddress: lead.customerAddress,
  };
}

/** A lead as super admins see it: everything. */
export function fullSummary(lead: LeadRow): LeadSummary {
  return {
    ...jobOf(lead),
    ...contactOf(lead),
    id: lead.id,
    latitude: lead.latitude,
    longitude: lead.longitude,
    leadScore: lead.leadScore,
    status: lead.status,
    price: centsToText(lead.priceCents),
    createdAt: lead.createdAt,
    expiresAt: lead.expiresAt,
    // D1 does not know of holds; who lists leads lays them over.
    heldUntil: null,
  };
}

/** A lead as everybody else sees it before buying; the exchange and its events hold nothing more. */
export function maskedSummary(lead: LeadRow): LeadSummary {
  const own = ownWords(lead);
  return {
    ...fullSummary(lead),
    customerName: maskName(lead.customerName),
    customerPhone: maskPhone(lead.customerPhone),
    customerEmail: null,
    customerAddress: null,
    specificRequests: lead.specificRequests && redact(lead.specificRequests, own),
    preferredLocation: lead.preferredLocation && redact(lead.preferredLocation, own),
  };
}

/** Where a page of leads ended: creation time and id, as opaque text. */
export function encodeCursor(lead: { createdAt: number; id: string }): string {
  return btoa(`${lead.createdAt}|${lead.id}`).replaceAll("=", "");
}

/** Reads a cursor; null when it is none of ours. */
export function decodeCursor(cursor: string): { createdAt: number; id: string } | null {
  try {
    const [time, id] = atob(cursor).split("|");
    const createdAt = Number(time);
    return id && Number.isSafeInteger(createdAt) ? { createdAt, id } : null;
  } catch {
    return null;
  }
}
