import { expect, test } from "vitest";

import { bookingBeginning, idBeginning, referenceOf } from "./reference.ts";

test("a reference names its lead, however it is typed", () => {
  const id = "lead_inner-west_3f9k2m7qxyz01234abcd";
  const reference = referenceOf(id)!;
  expect(reference).toBe("INNER-WEST-3F9K2M7Q");
  for (const typed of [reference, reference.toLowerCase(), ` ${reference} `])
    expect(id.startsWith(idBeginning(typed)!), typed).toBe(true);
});

test("an inspection's reference names its booking, however it is typed, and no lead", () => {
  const id = "bkg_3f9k2m7qxyz01234abcd";
  const reference = referenceOf(id)!;
  expect(reference).toBe("INSPECTION-3F9K2M7Q");
  for (const typed of [reference, reference.toLowerCase(), ` ${reference} `]) {
    expect(id.startsWith(bookingBeginning(typed)!), typed).toBe(true);
    expect(idBeginning(typed), typed).toBeNull();
  }
  expect(bookingBeginning("INNER-WEST-3F9K2M7Q"), "a lead's").toBeNull();
});

test("what is none is none", () => {
  expect(referenceOf("pur_3f9k2m7qxyz01234abcd")).toBeNull();
  for (const typed of [
    "0412 345 678",
    "inner-west",
    "smith-williams",
    "mary-anne-williams",
    "lead_nsw_1",
    "INNER-WEST-3F9",
    "",
    "inspection",
    "INSPECTION-3F9",
  ]) {
    expect(idBeginning(typed), typed).toBeNull();
    expect(bookingBeginning(typed), typed).toBeNull();
  }
});
