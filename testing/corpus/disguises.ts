/**
 * Texts that hide contact details, grouped into families. Each family is one idea; its texts differ in
 * number, name, wording and position in the sentence. Rival providers must never see a text's secret.
 * Held-back families were not inspected while the rules were written. On their first run the rules caught 165
 * of 170 (97.1 %). The misses have been fixed since.
 */

export type Disguise = { family: string; text: string; secrets: string[]; isHeldBack: boolean };

/** Numbers reserved for fiction (ACMA), grouped as people say them. */
const MOBILES = [
  ["0491", "570", "006"],
  ["0491", "570", "156"],
  ["0491", "571", "266"],
  ["0491", "572", "665"],
  ["0491", "573", "087"],
  ["0491", "574", "118"],
  ["0491", "575", "789"],
  ["0491", "576", "398"],
] as const;
const LANDLINES = [
  ["02", "5550", "1234"],
  ["02", "7010", "8765"],
  ["03", "5550", "9432"],
  ["07", "5550", "6671"],
] as const;
const NAMES = ["jo", "kaz", "dimitri", "priya", "sam_w", "mowbot", "tessa", "harryk"] as const;
const HOSTS = [
  "lawnjo",
  "kazgarden",
  "hedgehero",
  "mowandgo",
  "priyaplants",
  "turfking",
  "tessatidy",
  "harrys-yard",
] as const;
const STREETS = [
  "Wattle",
  "Banksia",
  "Lilly Pilly",
  "Kurrajong",
  "Boronia",
  "Waratah",
  "Grevillea",
  "Bottlebrush",
] as const;

/** Sentences around a secret. */
const CALLS = [
  (secret: string) => `Lawn needs a mow, ring ${secret} please.`,
  (secret: string) => `${secret} is the best way to get me`,
  (secret: string) => `Two dogs out the back. Text me: ${secret}`,
  (secret: string) => `Save us both the fee - ${secret} - any time after 5pm`,
  (secret: string) => `call\n${secret}\nor knock, 300m² of kikuyu`,
] as const;

const SPOKEN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const spoken = (digits: string, zero = "zero") =>
  [...digits].map((digit) => (digit === "0" ? zero : SPOKEN[Number(digit)]!));

type DisguisedText = { text: string; secrets: string[] };
const disguises: Disguise[] = [];

/** Adds a family: one text for each seed, each in a different sentence. */
function addFamily(name: string, made: readonly DisguisedText[], isHeldBack = false): void {
  for (const [i, { text, secrets }] of made.entries()) {
    disguises.push({
      family: name,
      text: CALLS[(i + name.length) % CALLS.length]!(text),
      secrets,
      isHeldBack,
    });
  }
}
const addHeldBackFamily = (name: string, made: readonly DisguisedText[]) => addFamily(name, made, true);
/** Adds texts that are already complete sentences. */
function addSentences(
  name: string,
  texts: readonly (readonly [text: string, ...secrets: string[]])[],
  isHeldBack = false,
): void {
  for (const [text, ...secrets] of texts) disguises.push({ family: name, text, secrets, isHeldBack });
}

const mobiles = (
  write: (groups: readonly [string, string, string], i: number) => DisguisedText,
): DisguisedText[] => MOBILES.map((groups, i) => write(groups, i));
/** Writes a number in groups. The first two groups are the secret. */
const grouped = (separators: readonly string[]) =>
  mobiles((groups, i) => ({
    text: groups.join(separators[i % separators.length]),
    secrets: [groups[0], groups[1]],
  }));
/** Writes a number digit by digit. The middle of the result is the secret. */
const byDigit = (write: (digits: readonly string[], i: number) => string) =>
  mobiles((groups, i) => {
    const text = write([...groups.join("")], i);
    const third = Math.floor(text.length / 3);
    return { text, secrets: [text.slice(third, third + Math.max(4, Math.floor(third / 2)))] };
  });

// Phone numbers in figures
addFamily("plain", grouped([" ", "", "-", ".", "  "]));
addFamily("other marks between groups", grouped(["/", " | ", "~", "_", " * ", "#", " ; ", "…"]));
addFamily(
  "landlines",
  LANDLINES.map(([area, a, b]) => ({ text: `(${area}) ${a} ${b}`, secrets: [a, b] })),
);
addFamily(
  "with the country",
  mobiles(([a, b, c], i) => ({
    text: [
      `+61 ${a.slice(1)} ${b} ${c}`,
      `0061${a.slice(1)}${b}${c}`,
      `+61(0)${a.slice(1)}-${b}-${c}`,
      `61 ${a.slice(1)} ${b} ${c}`,
    ][i % 4]!,
    secrets: [a.slice(1), b],
  })),
);
addFamily(
  "brackets around groups",
  mobiles(([a, b, c], i) => ({
    text: [`[${a}][${b}][${c}]`, `(${a}) {${b}} <${c}>`, `"${a}" "${b}" "${c}"`, `(${a})(${b})(${c})`][
      i % 4
    ]!,
    secrets: [a, b],
  })),
);
addFamily(
  "a sign between digits",
  byDigit((digits, i) => digits.join(["#", "-", " ", ".", "/", " . ", "*", "🌱"][i])),
);
addFamily(
  "full-width and other scripts",
  byDigit((digits, i) =>
    digits
      .map((digit) =>
        String.fromCodePoint(
          [0xff10, 0x660, 0x966, 0x1d7ce, 0x1d7e2, 0x9e6, 0xe50, 0x6f0][i]! + Number(digit),
        ),
      )
      .join(i % 2 ? " " : ""),
  ),
);
addFamily(
  "circled and keycapped",
  byDigit((digits, i) =>
    digits
      .map((digit) =>
        i % 2
          ? `${digit}\uFE0F\u20E3`
          : digit === "0"
            ? "⓪"
            : String.fromCodePoint(0x2460 + Number(digit) - 1),
      )
      .join(i > 3 ? " " : ""),
  ),
);
addFamily(
  "invisible signs inside",
  byDigit((digits, i) =>
    digits.join(
      ["\u200B", "\u{E0100}", "\u00AD", "\u2060", "\u034F", "\u200D", "\uFE0E", "\u{E0101}\u{E0102}"][i],
    ),
  ),
);
addFamily(
  "blank signs inside",
  byDigit((digits, i) =>
    digits.join(["\u3164", "\u2800", "\u00A0", "\u2003", "\uFFA0", "\u2800\u2800", "\u3000", "\u115F"][i]),
  ),
);
addFamily(
  "combining marks on digits",
  byDigit((digits, i) =>
    digits.map((digit) => digit + ["\u0301", "\u0332", "\u0336", "\u20D2"][i % 4]).join(i > 3 ? " " : ""),
  ),
);
addFamily(
  "letters for digits",
  mobiles(([a, b, c], i) => ({
    text: (i % 2 ? `${a} ${b} ${c}` : `${a}${b}${c}`)
      .replaceAll("0", i % 3 ? "o" : "O")
      .replaceAll("1", i % 2 ? "l" : "I"),
    secrets: [b.replaceAll("0", i % 3 ? "o" : "O").replaceAll("1", i % 2 ? "l" : "I")],
  })),
);
addFamily(
  "words between groups",
  mobiles(([a, b, c], i) => ({
    text: [
      `${a} then ${b} then ${c}`,
      `${a}, and ${b}, and ${c}`,
      `${a} followed by ${b} followed by ${c}`,
      `${a} dash ${b} dash ${c}`,
      `${a} space ${b} space ${c}`,
      `first ${a} next ${b} last ${c}`,
      `${a} (pause) ${b} (pause) ${c}`,
      `start with ${a} then ${b} ending in ${c}`,
    ][i]!,
    secrets: [a, b],
  })),
);
addSentences(
  "over several sentences",
  MOBILES.map(
    ([a, b, c], i) =>
      [
        [
          `My number begins with ${a}. The dog is friendly. After that comes ${b}. Hedge is 2 m high. It ends in ${c}.`,
          `Start: ${a}. Gate is on the left. Middle: ${b}. Bins are out the front. End: ${c}.`,
          `${a} is the first bit.\n\n${b} is the second bit.\n\n${c} is the third bit.`,
          `Lawn is overgrown (${a}), edges too (${b}) and the hedge as well (${c}).`,
        ][i % 4]!,
        a,
        b,
      ] as const,
  ),
);
addFamily(
  "dressed as measures",
  mobiles(([a, b, c], i) => ({
    text: [
      `${a} m by ${b} m by ${c} m`,
      `$${a} and $${b} and $${c}`,
      `${a} trees, ${b} shrubs, ${c} pots`,
      `${a} weeks, ${b} days, ${c} hours`,
    ][i % 4]!,
    secrets: [a, b],
  })),
);
addFamily(
  "dressed as a date or time",
  mobiles(([a, b, c], i) => ({
    text: [
      `${a.slice(0, 2)}/${a.slice(2)}/${b}/${c}`,
      `${a.slice(0, 2)}:${a.slice(2)}:${b.slice(0, 2)}:${b.slice(2)}${c[0]}:${c.slice(1)}`,
      `${a.slice(0, 2)}-${a.slice(2)}-${b}-${c}`,
      `${a.slice(0, 2)}.${a.slice(2)}.${b}.${c}`,
    ][i % 4]!,
    secrets: [a.slice(2) + [`/${b}`, `:${b.slice(0, 2)}`, `-${b}`, `.${b}`][i % 4]!],
  })),
);
addHeldBackFamily(
  "letters between groups",
  mobiles(([a, b, c], i) => ({
    text: [`${a}x${b}x${c}`, `${a}abc${b}abc${c}`, `m${a}m${b}m${c}`, `${a}or${b}or${c}`][i % 4]!,
    secrets: [a, b],
  })),
);
addHeldBackFamily(
  "one figure to a line",
  byDigit((digits, i) => digits.join(["\n", "\r\n", "\n\n", ",\n", "\n- ", " ↵ ", " / ", "\n* "][i])),
);
addHeldBackFamily(
  "emphasised by markup",
  mobiles(([a, b, c], i) => ({
    text: [
      `**${a}** **${b}** **${c}**`,
      `<b>${a}</b><b>${b}</b><b>${c}</b>`,
      `_${a}_${b}_${c}_`,
      `~~${a}~~ ${b} ~~${c}~~`,
    ][i % 4]!,
    secrets: [a, b],
  })),
);
addHeldBackFamily(
  "read backwards",
  mobiles((groups) => {
    const text = [...groups.join("")].toReversed().join("");
    return {
      text: `(backwards) ${text.slice(0, 5)} ${text.slice(5)}`,
      secrets: [text.slice(0, 5), text.slice(5)],
    };
  }),
);

// Phone numbers in words
addFamily(
  "digit by digit in words",
  byDigit((digits, i) =>
    spoken(digits.join(""), i % 2 ? "oh" : "zero").join([" ", "-", ", ", " ... "][i % 4]),
  ),
);
addFamily(
  "double and triple",
  mobiles(([a, b, c], i) => {
    const end =
      c[0] === c[1] ? `double ${SPOKEN[Number(c[0])]} ${SPOKEN[Number(c[2])]}` : spoken(c).join(" ");
    return {
      text: `${spoken(a, i % 2 ? "oh" : "nought").join(" ")} ${spoken(b).join(" ")} ${end}`,
      secrets: [spoken(b).join(" ")],
    };
  }),
);
addFamily(
  "figures and words mixed",
  mobiles(([a, b, c], i) => ({
    text:
      i % 2 ? `${a} ${spoken(b).join(" ")} ${c}` : `${spoken(a, "oh").join(" ")} ${b} ${spoken(c).join(" ")}`,
    secrets: [i % 2 ? spoken(b).join(" ") : b],
  })),
);
addFamily(
  "two digits at a time",
  [
    "oh four ninety-one fifty-seven twelve sixty-six",
    "oh four ninety one, fifty seven, thirty six, sixty five",
    "zero four ninety-eight seven sixty-five four thirty-two",
    "ninety-eight seven sixty-five",
    "ninety eight, seven, sixty five, forty three",
    "oh-two fifty-five fifty twelve thirty-four",
  ].map((text) => ({ text, secrets: [text.slice(4, 20)] })),
);
addFamily(
  "words run together",
  byDigit((digits, i) =>
    spoken(digits.join(""), "zero")
      .join(i % 2 ? "" : "")
      .replace("one", i > 4 ? "ONE" : "one"),
  ),
);
addFamily(
  "digits for letters in words",
  byDigit((digits) => spoken(digits.join("")).join(" ").replaceAll("e", "3").replaceAll("o", "0")),
);
addHeldBackFamily(
  "capitals and full stops in words",
  byDigit((digits, i) =>
    spoken(digits.join(""), "Oh")
      .map((word) => (i % 2 ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1)))
      .join(". "),
  ),
);
addHeldBackFamily(
  "sounds like digits",
  [
    "oh fore nine won five seven oh oh oh six",
    "zero for nine one five seven too double six",
    "oh four nine wun five seven won five six",
    "oh four niner won fife seven three oh eight seven",
  ].map((text) => ({ text, secrets: [text.slice(3, 16)] })),
);
addHeldBackFamily(
  "accented and styled words",
  byDigit((digits, i) =>
    spoken(digits.join(""))
      .map((word) =>
        i % 2
          ? word.replaceAll("e", "é").replaceAll("o", "ö")
          : [...word].map((letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97)).join(""),
      )
      .join(" "),
  ),
);

// E-mail addresses
const mails = (write: (name: string, host: string, i: number) => DisguisedText): DisguisedText[] =>
  NAMES.map((name, i) => write(name, HOSTS[i]!, i));
addFamily(
  "e-mail",
  mails((name, host, i) => ({
    text: `${name}@${host}.${["com", "com.au", "net.au", "example", "garden", "org", "id.au", "io"][i]}`,
    secrets: [name + "@", host],
  })),
);
addFamily(
  "spaces around the sign",
  mails((name, host) => ({ text: `${name} @ ${host} . com`, secrets: [`${name} @`, host] })),
);
addFamily(
  "at and dot in brackets",
  mails((name, host, i) => ({
    text: `${name}${["(at)", "[at]", " {at} ", " <AT> "][i % 4]}${host}${["(dot)", "[dot]", " {dot} ", " <DOT> "][i % 4]}com`,
    secrets: [host],
  })),
);
addFamily(
  "at and dot as words",
  mails((name, host, i) => ({
    text: `${name} at ${host} dot ${["com", "com dot au", "net", "garden"][i % 4]}`,
    secrets: [`at ${host}`],
  })),
);
addFamily(
  "at and dot between underscores",
  mails((name, host, i) => ({
    text: `${name}${["_at_", "-at-", ".at.", "*at*"][i % 4]}${host}${["_dot_", "-dot-", ".dot.", "*dot*"][i % 4]}com`,
    secrets: [host],
  })),
);
addFamily(
  "a provider of mailboxes",
  mails((name, _, i) => ({
    text: [
      `${name}.k at gmail`,
      `${name}77 on hotmail`,
      `gmail: ${name}.k77`,
      `${name}.k (gmail)`,
      `my gmail is ${name}_k`,
      `${name}k77@gmail`,
      `${name}77 at bigpond`,
      `${name}.k at yahoo`,
    ][i]!,
    secrets: [`${name}${[".k", "77", ".k77", ".k", "_k", "k77", "77", ".k"][i]}`],
  })),
);
addFamily(
  "look-alike signs",
  mails((name, host, i) => ({
    text: `${name}${["＠", "﹫", "@\u200B", "ⓐ"][i % 4]}${host}${["．", "。", "․", "•"][i % 4]}com`,
    secrets: [host],
  })),
);
addFamily(
  "spelled letter by letter",
  mails((name, host, i) => ({
    text: [...`${name}@${host.replace("-", "")}.com`].join([" ", "-", ".", "  "][i % 4]),
    secrets: [
      host
        .slice(0, 4)
        .split("")
        .join([" ", "-", ".", "  "][i % 4]),
    ],
  })),
);
addHeldBackFamily(
  "run together",
  mails((name, host, i) => ({
    text: i % 2 ? `${name}atgmaildotcom` : `${name}at${host.replace("-", "")}dotcom`,
    secrets: [i % 2 ? "gmaildot" : `${host.replace("-", "")}dot`],
  })),
);
addHeldBackFamily(
  "names with dots in words",
  mails((name, host, i) => ({
    text: [
      `${name} dot smith at ${host} dot com`,
      `${name} underscore smith at ${host}.com`,
      `${name}.smith (at) ${host} (dot) com`,
      `${name} dash smith at gmail dot com`,
    ][i % 4]!,
    secrets: i % 4 === 3 ? ["smith at", "gmail"] : ["smith", host],
  })),
);

// Links
const links = (write: (host: string, i: number) => DisguisedText): DisguisedText[] =>
  HOSTS.map((host, i) => write(host, i));
addFamily(
  "links",
  links((host, i) => ({
    text: `${["https://", "http://", "www.", "hxxps://", "https://www.", "HTTPS://", "Www.", "http://m."][i]}${host}.${["com.au", "net", "com", "garden", "biz", "io", "au", "shop"][i]}${i % 2 ? "/photos?x=1" : ""}`,
    secrets: [host],
  })),
);
addFamily(
  "bare hosts",
  links((host, i) => ({
    text: `${host}.${["com", "com.au", "garden", "net.au", "shop", "xyz", "online", "services"][i]}`,
    secrets: [host],
  })),
);
addFamily(
  "hosts in words",
  links((host, i) => ({
    text: `${host} dot ${["com", "com dot au", "garden", "net"][i % 4]}${i > 3 ? " slash quotes" : ""}`,
    secrets: [host, ...(i > 3 ? ["quotes"] : [])],
  })),
);
addFamily(
  "short links",
  [
    "bit.ly/3xYz",
    "tinyurl.com/lawn7",
    "t.me/lawnjo",
    "wa.me/61491570006",
    "goo.gl/maps/abc",
    "linktr.ee/lawnjo",
  ].map((text) => ({ text, secrets: [text.slice(0, 6), text.slice(-4)] })),
);
addHeldBackFamily(
  "hosts with odd dots",
  links((host, i) => ({
    text: `${host}${["．", " . ", "[.]", "(.)", " .", "•", ",", "。"][i]}com`,
    secrets: [host],
  })),
);
addHeldBackFamily(
  "hosts of two words",
  [
    ["lawnjo com", "lawnjo"],
    ["hedgehero com au", "hedgehero"],
    ["www lawnjo com", "lawnjo"],
    ["turfking dotcom", "turfking"],
  ].map(([text, secret]) => ({ text: text!, secrets: [secret!] })),
);

// Names on platforms
addSentences("names on platforms", [
  ["Find me as @lawn_jo for photos", "lawn_jo"],
  ["Insta: lawn.jo", "lawn.jo"],
  ["IG - jo_mows", "jo_mows"],
  ["My instagram is lawnjo77, pics of the yard there", "lawnjo77"],
  ["lawn_jo on insta has photos of it", "lawn_jo"],
  ["message jomows on facebook", "jomows"],
  ["Facebook: Jo Fernsby", "Jo Fernsby"],
  ["find me on facebook as Jo Fernsby", "Fernsby"],
  ["Add Jo Fernsby on messenger", "Fernsby"],
  ["I'm jomows on snapchat", "jomows"],
  ["whatsapp jo88", "jo88"],
  ["wechat id: greenjo", "greenjo"],
  ["telegram @jo_k", "jo_k"],
  ["tiktok handle jo.mows", "jo.mows"],
  ["discord jomows#4821", "jomows#4821"],
  ["dm jo_k_77 on twitter", "jo_k_77"],
  ["linkedin jo-fernsby", "jo-fernsby"],
  ["My handle: turf_wiz", "turf_wiz"],
  ["search for jofern on facebook", "jofern"],
  ["fb name is jofern", "jofern"],
]);
addSentences(
  "platforms at the end of a sentence",
  [
    ["Big yard. Jo77fern is my insta", "Jo77fern"],
    ["Photos are with jo_fern_ via whatsapp", "jo_fern_"],
    ["username jofern88 there and on viber", "jofern88"],
    ["Yard pics on instagram under jofern", "jofern"],
    ["call me on skype, live:jofern1", "jofern1"],
    ["it's jofern_7 in the usual app", "jofern_7"],
    ["follow jofern on tiktok", "jofern"],
    ["ＩＧ： jofern_mows", "jofern"],
  ],
  true,
);

// Places
const streets = (write: (name: string, i: number) => DisguisedText): DisguisedText[] =>
  STREETS.map((name, i) => write(name, i));
const KINDS = ["Street", "St", "Road", "Rd", "Avenue", "Crescent", "Pde", "Hwy"];
addFamily(
  "street addresses",
  streets((name, i) => ({ text: `${i * 17 + 4} ${name} ${KINDS[i]}`, secrets: [name, `${i * 17 + 4} `] })),
);
addFamily(
  "street addresses in small letters",
  streets((name, i) => ({
    text: `${i * 13 + 3}${i % 2 ? "a" : ""} ${name.toLowerCase()} ${KINDS[i]!.toLowerCase()}`,
    secrets: [name.toLowerCase()],
  })),
);
addFamily(
  "units",
  streets((name, i) => ({
    text: [
      `Unit 3, ${i + 20} ${name} St`,
      `3/${i + 20} ${name} St`,
      `flat 2 ${i + 20} ${name} Rd`,
      `Apt 5 / ${i + 20} ${name} Ave`,
    ][i % 4]!,
    secrets: [name, String(i + 20)],
  })),
);
addFamily(
  "other kinds of street",
  streets((name, i) => ({
    text: `${i + 11} ${name} ${["Lane", "Close", "Drive", "Court", "Place", "Grove", "Way", "Circuit"][i]}`,
    secrets: [name],
  })),
);
addFamily(
  "numbers in words",
  streets((name, i) => ({
    text: `${["thirty-four", "twelve", "one hundred and two", "seven", "ninety nine", "fifty", "twenty one", "three"][i]} ${name} ${KINDS[i]}`,
    secrets: [name],
  })),
);
addSentences("streets by name", [
  ["We are on the corner of Wattle Rd and Fern Lane", "Wattle", "Fern"],
  ["corner of Wattle and Fern, you can't miss it", "Wattle", "Fern"],
  ["Just off Kurrajong Parade, third house", "Kurrajong"],
  ["behind the shops in boronia street", "boronia"],
  ["Entry from Old Mill Road", "Mill"],
  ["post it to PO Box 123", "123"],
  ["P.O. Box 4471 is where mail goes", "4471"],
  ["send the quote to Locked Bag 90", "90"],
]);
addHeldBackFamily(
  "addresses with odd spacing",
  streets((name, i) => ({
    text: [
      `${i + 30},${name} ${KINDS[i]}`,
      `${i + 30}  ${name}  ${KINDS[i]}`,
      `No. ${i + 30} ${name} ${KINDS[i]}`,
      `#${i + 30} ${name} ${KINDS[i]}`,
    ][i % 4]!,
    secrets: [name],
  })),
);
addHeldBackFamily(
  "styled addresses",
  streets((name, i) => ({
    text:
      i % 2
        ? `${i + 41} ${name.replaceAll("a", "à").replaceAll("o", "ó")} ${KINDS[i]}`
        : `${i + 41} ${[...name].join("\u200B")} ${KINDS[i]}`,
    secrets: [i % 2 ? name.replaceAll("a", "à").replaceAll("o", "ó") : [...name].join("\u200B").slice(0, 7)],
  })),
);

// A second held-back set, written after the rules were first fixed.
addHeldBackFamily(
  "sums of what is said",
  mobiles(([a, b, c], i) => ({
    text: [
      `${a}, after that ${b}, after that ${c}`,
      `it's ${a} & ${b} & ${c}`,
      `${a} plus ${b} plus ${c}`,
      `${a} comma ${b} comma ${c}`,
    ][i % 4]!,
    secrets: [a, b],
  })),
);
addHeldBackFamily(
  "questions about a number",
  mobiles(([a, b, c], i) => ({
    text: [`is ${a}${b}${c} ok?`, `${a}'${b}'${c}`, `#${a}#${b}#${c}#`, `tel:${a}${b}${c};ext=0`][i % 4]!,
    secrets: [a, b],
  })),
);
addHeldBackFamily(
  "a smiley between digits",
  byDigit((digits, i) => digits.join([" :) ", "😀", " ^_^ ", "❤️", " ~ ", "…", " ·", "★"][i])),
);
addHeldBackFamily(
  "digits in another language",
  [
    "cero cuatro nueve uno cinco siete cero cero cero seis",
    "zero quattro nove uno cinque sette zero zero zero sei",
    "zéro quatre neuf un cinq sept zéro zéro zéro six",
    "null vier neun eins fünf sieben null null null sechs",
  ].map((text) => ({ text, secrets: [text.slice(5, 20)] })),
);
addHeldBackFamily(
  "groups named after things",
  mobiles(([a, b, c], i) => ({
    text: [
      `${a} like my pin, ${b} like the bus, ${c} like Bond`,
      `mob ${a} then the usual ${b} ${c}`,
      `${a} (area) ${b} (exchange) ${c} (line)`,
      `digits ${a} / digits ${b} / digits ${c}`,
    ][i % 4]!,
    secrets: [a, b],
  })),
);
addHeldBackFamily(
  "addresses for mail in other dress",
  mails((name, host, i) => ({
    text: [
      `${name}<at>${host}<dot>com`,
      `${name} "at" ${host} "dot" com`,
      `mailto:${name}@${host}.com`,
      `${name}@${host},com`,
      `${name} AT-SIGN ${host} DOT com`,
      `${name}(@)${host}(.)com`,
      `${name} [AT] ${host} dot net dot au`,
      `e: ${name} @${host}.com.au`,
    ][i]!,
    secrets: [host],
  })),
);
addHeldBackFamily(
  "hosts written as a story",
  links((host, i) => ({
    text: [
      `our site: ${host} (dot) com (dot) au`,
      `google ${host}.com.au`,
      `${host} - dot - com`,
      `"${host}.com"`,
      `${host}.com.au!!!`,
      `HTTP ${host} dot com`,
      `${host}.net/jo?ref=1`,
      `go to ${host} d0t com`,
    ][i]!,
    secrets: [host],
  })),
);
addHeldBackFamily(
  "streets written as a story",
  streets((name, i) => ({
    text: [
      `we're at ${i + 51} ${name} St, blue door`,
      `${name.toUpperCase()} STREET NO ${i + 51}`,
      `${i + 51} ${name} St. Leichhardt`,
      `turn into ${name} Avenue, number ${i + 51}`,
      `address is ${i + 51} ${name} cres`,
      `${i + 51}b/${name} Rd`,
      `${i + 51} Old ${name} Rd`,
      `at the ${name} St end`,
    ][i]!,
    secrets: [i === 1 ? name.toUpperCase() : name],
  })),
);
addSentences(
  "platforms written as a story",
  [
    ["Look up Jo Fernsby Gardens on Facebook", "Fernsby"],
    ["insta handle's jo.fern", "jo.fern"],
    ["IG:jofern_", "jofern_"],
    ["youtube channel: jofernmows", "jofernmows"],
    ["WhatsApp me, jofern_44", "jofern_44"],
    ["fb messenger: Jo Fern", "Fern"],
  ],
  true,
);

export const DISGUISES: readonly Disguise[] = disguises;
