/** Finds likely typing errors in the domain of an email address. A suggestion never blocks a form. */

/** The common mail providers in Australia whose names are long enough to recognise with a typing error. */
const PROVIDERS = [
  "gmail.com hotmail.com outlook.com bigpond.com icloud.com yahoo.com yahoo.com.au optusnet.com.au iinet.net.au",
  "bigpond.net.au bigpond.com.au outlook.com.au hotmail.com.au westnet.com.au ozemail.com.au internode.on.net",
  "protonmail.com googlemail.com exemail.com.au",
].flatMap((domains) => domains.split(" "));

/** Real providers that look like a typing error of one above. */
const OTHERS = "mail.com email.com ymail.com cloud.com testnet.com.au".split(" ");

const ENDINGS: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\.(?:con|cmo|ocm|cim|vom|xom|comm)$/, ".com"],
  [/\.(?:comau|con\.au|cmo\.au|com\.a|com\.aus)$/, ".com.au"],
  [/\.(?:netau|net\.a|net\.aus)$/, ".net.au"],
];

/** Endings that a provider's name gets by mistake, as in "gmail.com.au". Others are real, as in "yahoo.fr". */
const LOCAL_ENDING = /^(?:com|net|org|au|com\.au|net\.au)$/;

/** Returns the number of inserted, missing, wrong and swapped characters between two words. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        row[j - 1]! + 1,
        rows[i - 1]![j]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** Splits a domain after its name: "optusnet.com.au" becomes "optusnet" and "com.au". */
function split(domain: string): [name: string, ending: string] {
  const dot = domain.indexOf(".");
  return dot < 0 ? [domain, ""] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** Returns how far a domain is from a provider's; Infinity if it is not meant. */
function farFrom(provider: string, domain: string): number {
  if (provider === domain) return 0;
  const [[name, ending], [typed, typedEnding]] = [split(provider), split(domain)];
  if (name === typed && LOCAL_ENDING.test(typedEnding)) return 1;
  const endingErrors = distance(ending, typedEnding);
  const errors = distance(name, typed) + endingErrors;
  return endingErrors <= 1 && errors <= (name.length < 7 ? 1 : 2) ? errors : Infinity;
}

/**
 * Returns the address that was probably meant, such as "anna@gmail.com" for "anna@gmial.com".
 * @returns null if the address looks right, or is not an address
 */
export function suggestEmail(typed: string): string | null {
  const [, user, domain] = /^([^@\s]+)@([^@\s]+\.[^@\s]+)$/.exec(typed.trim().toLowerCase()) ?? [];
  if (!user || !domain || PROVIDERS.includes(domain) || OTHERS.includes(domain)) return null;
  const repaired = ENDINGS.reduce((text, [wrong, right]) => text.replace(wrong, right), domain);
  const ranked = PROVIDERS.map((provider) => ({ provider, errors: farFrom(provider, repaired) }));
  const best = ranked.toSorted((a, b) => a.errors - b.errors)[0]!;
  const meant = best.errors < Infinity ? best.provider : repaired;
  return meant === domain ? null : `${user}@${meant}`;
}
