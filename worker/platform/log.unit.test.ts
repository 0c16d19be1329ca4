import { expect, test } from "vitest";

import { describeError } from "./log.ts";

test("an error's own words lose addresses and numbers, and keep ids", () => {
  const error = new Error(
    "No reply from zz.markmail77@example.org (0491 570 313) about lead_nsw_00491570313000000000",
  );
  const { message } = describeError(error);
  expect(message).toBe("No reply from ▮ (▮) about lead_nsw_00491570313000000000");
  expect(describeError("0491570313")).toEqual({ name: "string", message: "▮" });
  let unreadable: unknown;
  try {
    JSON.parse('{"name":Quillfeather}');
  } catch (thrown) {
    unreadable = thrown;
  }
  expect(describeError(unreadable)).toMatchObject({ name: "SyntaxError", message: "Not what was expected" });
});
