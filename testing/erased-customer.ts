/** A customer who asks for erasure, and a search for traces of them. */
export const ERASED_PHONE = "0491 571 266";
export const ERASED_EMAIL = "zz.markmail77@example.org";

/** The customer, in every field of a quote request that can identify a person. */
export const ERASED_CUSTOMER = {
  customerName: "Marta Quillfeather",
  customerPhone: ERASED_PHONE,
  customerEmail: ERASED_EMAIL,
  customerAddress: "99 Wombatgully Street, Leichhardt NSW 2040",
  specificRequests: "Quokkaword: the side gate sticks.",
};

const FIRST_NAME = "marta";

/** Parts of the customer's details, in lower case, without spaces or punctuation. */
export const TRACES = [FIRST_NAME, "quillfeather", "491571266", "zzmarkmail77", "wombatgully", "quokkaword"];

/** The first name is so short that random IDs sometimes contain it, so it counts only as a word. */
const FIRST_NAME_ALONE = /(?:^|[^\w-]|\\[nrt])marta(?![\w-])/i;

const normalise = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Returns the customer's details that a text contains, in any format. */
export function tracesIn(text: string): string[] {
  const plain = normalise(text);
  return TRACES.filter((trace) =>
    trace === FIRST_NAME ? FIRST_NAME_ALONE.test(text) : plain.includes(trace),
  );
}
