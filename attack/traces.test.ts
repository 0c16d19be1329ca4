import { expect, test } from "vitest";

import { traceFinder } from "./traces.ts";

const NAME = "Quillfeather";
const bytesOf = (text: string, radix: (code: number) => string) =>
  [...text].map((letter) => radix(letter.charCodeAt(0))).join("");
const hex = (code: number) => code.toString(16);

test.each([
  ["capitals", NAME.toUpperCase()],
  ["separators", [...NAME].join("-")],
  ["tags", "Quill<b>feather</b>"],
  ["reversed", [...NAME].toReversed().join("")],
  ["reversed with separators", [...NAME].toReversed().join(" . ")],
  ["base64 of a longer text", `{"x":"${Buffer.from(`dear Marta ${NAME}, hello`).toString("base64")}"}`],
  ["base64url", Buffer.from(`??>>${NAME}`).toString("base64url")],
  ["percent signs", bytesOf(NAME, (code) => `%${hex(code)}`)],
  ["percent signs twice", bytesOf(NAME, (code) => `%25${hex(code)}`)],
  ["hexadecimal", `name=${Buffer.from(NAME).toString("hex")}`],
  ["hexadecimal with colons", bytesOf(NAME, (code) => `${hex(code)}:`)],
  ["decimal entities", bytesOf(NAME, (code) => `&#${code};`)],
  ["hexadecimal entities", bytesOf(NAME, (code) => `&#x${hex(code)};`)],
  ["JSON escapes", bytesOf(NAME, (code) => `\\u00${hex(code)}`)],
  ["base64 in percent signs", encodeURIComponent(Buffer.from(`- ${NAME} -`).toString("base64"))],
])("a trace is found when written as %s", (_, text) => {
  expect(traceFinder(`before ${text} after`)(["quillfeather"])).toEqual(["quillfeather"]);
});

test("a phone number is found with other separators and reversed, but three of its digits are not", () => {
  expect(traceFinder("+61 (491) 571.266")(["491571266"])).toHaveLength(1);
  expect(traceFinder("662-175-194")(["491571266"])).toHaveLength(1);
  expect(traceFinder("•••• ••• 266 Marta Q.")(["491571266", "quillfeather"])).toEqual([]);
});
