const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32: nothing to misread

/** Random text of 20 characters, 100 bits; not for secrets, though long enough for one. */
function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join("");
}

/** A new id such as `user_3f…`: the prefix says what it names. */
export function newId(
  prefix:
    | "user"
    | "ses"
    | "key"
    | "pur"
    | "bkg"
    | "pay"
    | "hold"
    | "link"
    | "dud"
    | "crd"
    | "msg"
    | "psh"
    | "note"
    | "con"
    | "ans",
): string {
  return `${prefix}_${randomText()}`;
}

/**
 * A new lead id, such as `lead_inner-west_3f…`. It carries the region in which the lead was first
 * listed, so that a claim finds its exchange without asking D1.
 */
export function newLeadId(region: string): string {
  return `lead_${region}_${randomText()}`;
}

/** The region in a lead id; null when the text is no lead id. */
export function regionOfLeadId(leadId: string): string | null {
  return /^lead_([a-z-]+)_[0-9a-z]+$/.exec(leadId)?.[1] ?? null;
}
