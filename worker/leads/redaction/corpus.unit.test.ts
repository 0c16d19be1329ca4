/** Contact details as people write them are redacted, and honest texts stay as they are. */
import { expect, test } from "vitest";

import { CONTACT_TEXTS } from "../../../testing/corpus/contact-texts.ts";
import { HONEST_TEXTS } from "../../../testing/corpus/honest-texts.ts";
import { redact } from "./redact.ts";

test.each(CONTACT_TEXTS)("the contact details in %j are redacted", (text, ...secrets) => {
  const shown = redact(text);
  for (const secret of secrets) {
    expect(text).toContain(secret);
    expect(shown).not.toContain(secret);
  }
  // A text that its customer keeps is redacted again with each change.
  expect(redact(shown)).toBe(shown);
});

test("honest texts do not change", () => {
  expect(HONEST_TEXTS.filter((text) => redact(text) !== text)).toEqual([]);
});
