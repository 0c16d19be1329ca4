/** Somebody who asks to be forgotten, and how to find out whether anything of them is left. */
export const FORGOTTEN_PHONE = "0491 571 266";
export const FORGOTTEN_EMAIL = "zz.markmail77@example.org";

/** The person, in every field of a request that can hold somebody. */
export const FORGOTTEN = {
  customerName: "Marta Quillfeather",
  customerPhone: FORGOTTEN_PHONE,
  customerEmail: FORGOTTEN_EMAIL,
  customerAddress: "99 Wombatgully Street, Leichhardt NSW 2040",
  specificRequests: "Quokkaword: the side gate sticks.",
};

/** Each of them in small letters and digits. A masked name shows the first name. */
export const TRACES = ["marta", "quillfeather", "491571266", "zzmarkmail77", "wombatgully", "quokkaword"];

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** What of the person a text holds, however it is written. */
export function tracesIn(text: string): string[] {
  return TRACES.filter((trace) => plain(text).includes(trace));
}
