import { expect, test } from "vitest";

import { publicName } from "./public-name.ts";

test("a company's name with contact details is not public", () => {
  const owner = { firstName: "Zoe", lastName: "Brown" };
  expect(publicName({ companyName: "Zoe’s Lawns", ...owner })).toBe("Zoe’s Lawns");
  expect(publicName({ companyName: "Lawns 0412 345 678", ...owner })).toBe("Zoe Brown");
  expect(publicName({ companyName: "zoeslawns.com.au", ...owner })).toBe("Zoe Brown");
  expect(publicName({ companyName: null, ...owner })).toBe("Zoe Brown");
  expect(publicName({ companyName: " ", buyerCompany: "Mow", buyerName: "Jo", ...owner })).toBe("Mow");
  expect(publicName({ companyName: "a.com", buyerCompany: "b.com", buyerName: "Jo", ...owner })).toBe("Jo");
  expect(publicName({ companyName: null, firstName: "Call", lastName: "0412 345 678" })).toBe(
    "A local provider",
  );
});
