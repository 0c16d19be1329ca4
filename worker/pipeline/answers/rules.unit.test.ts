/** Replies to "Has your provider called you yet?". */
import { expect, test } from "vitest";

import { readCallReply } from "./rules.ts";

test.each([
  "Yes",
  "YES!",
  "Yep",
  "y",
  "yeah he rang",
  "They called yesterday.",
  "He has called me already, thanks",
])("%j says that the provider called", (reply) => expect(readCallReply(reply)).toBe("called"));

test.each([
  "No",
  "Nope, nothing yet",
  "No, he never called",
  "He hasn’t rung me",
  "No one called",
  "Haven't heard anything",
  "still waiting",
])("%j says that no call came", (reply) => expect(readCallReply(reply)).toBe("not_yet"));

test.each([
  "yeah nah",
  "No he called",
  "Yes but he wants Friday",
  "has he called?",
  "Not sure",
  "I'm driving. Auto-reply: I'll get back to you soon.",
  "Thanks",
  "👍",
  "",
])("%j is unclear", (reply) => expect(readCallReply(reply)).toBeNull());
