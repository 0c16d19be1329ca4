import { expect, test } from "vitest";

import { formatAbn, isAbn } from "./checks.ts";

test("an ABN has the register's checksum", () => {
  // The Australian Taxation Office's own example, and the ABN of the Department of Finance.
  for (const abn of ["51824753556", "61970632495"]) expect(isAbn(abn), abn).toBe(true);
  for (const abn of [
    "51824753557",
    "15824753556",
    "01824753556",
    "5182475355",
    "518247535560",
    "5182475355x",
  ])
    expect(isAbn(abn), abn).toBe(false);
  expect(formatAbn("51824753556")).toBe("51 824 753 556");
});
