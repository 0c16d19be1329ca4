import type { LocalProvider, ProfileForm } from "../../../contract/profiles.ts";
import { isLowShare, LOW_STANDING_MIN_LEADS } from "../../../contract/standing.ts";
import { containsContact } from "../../leads/redaction/redact.ts";

/** Maximum characters of a slug before its ending. */
const SLUG_MAX = 40;

/** Returns a page's slug for a business's name, such as `green-strip`. */
export function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/['’\p{M}]/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, "");
  return plain || "provider";
}

/**
 * Residential building work. In New South Wales it needs a licence above $5,000, in labour and materials (Home Building
 * Act 1989). "Fence line" is where a mower goes.
 */
const BUILDING_WORK =
  /\bfenc(?:es?|ing)\b(?![ -]lines?\b)|\bretaining[ -]walls?\b|\bpav(?:ing|ers?)\b|\bdeck(?:s|ing)\b|\bpergolas?\b|\bcarports?\b|\bconcret(?:e|ing)\b/i;

/** Care of what is already built, such as washing paving. It needs no licence, unless the sentence also builds. */
const CARE = /\b(?:wash|clean|sweep|weed|trim|mow)/i;
const BUILDING = /\b(?:build|built|lay|laid|install|construct|erect|repair|replac|restor|pour)/i;

/** Returns the building work that a text offers, as the business calls it; null if there is none. */
function buildingWorkIn(text: string): string | null {
  for (const sentence of text.normalize("NFKC").split(/[.!?;\n]/)) {
    const [work] = BUILDING_WORK.exec(sentence) ?? [];
    if (work && (BUILDING.test(sentence) || !CARE.test(sentence))) return work.toLowerCase();
  }
  return null;
}

/**
 * Returns the error message for a page's description; null if it is valid.
 * @param hasLicence whether the business has a valid licence check
 */
export function validateDescription(words: string, hasLicence: boolean): string | null {
  if (containsContact(words))
    return "Please leave out phone numbers, email addresses and links. Customers reach you through their request.";
  const work = hasLicence ? null : buildingWorkIn(words);
  return (
    work &&
    `In NSW, residential building work over $5,000, such as “${work}”, needs a licence. Send us yours in Settings, under Personal Info, or write about garden work only.`
  );
}

/** A business that may be on a suburb's page. `calls` is as in `LocalProvider`. */
type Ranked = Pick<LocalProvider, "calls" | "distanceKm">;

/** 0: a good standing. 1: too few leads to say. 2: a low standing. */
function standingRank({ calls }: Ranked): number {
  if (!calls || calls.counted < LOW_STANDING_MIN_LEADS) return 1;
  return isLowShare(calls) ? 2 : 0;
}

/** Compares businesses for a suburb's page: the better standing first, then the nearest. */
export function compareLocal(a: Ranked, b: Ranked): number {
  return standingRank(a) - standingRank(b) || (a.distanceKm ?? Infinity) - (b.distanceKm ?? Infinity);
}

/** Returns the names of the parts that a save changes, for the audit log. */
export function changedParts(before: Partial<ProfileForm>, after: ProfileForm): string[] {
  return (Object.keys(after) as (keyof ProfileForm)[]).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
}
