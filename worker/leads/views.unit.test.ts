import { expect, test } from "vitest";

import { decodeCursor } from "../platform/http/paging.ts";
import { maskFirstName, maskName, maskPhone } from "./views.ts";

test("a name is shown as first name and initial", () => {
  const cases: Record<string, string> = {
    "Anna Brown": "Anna B.",
    "  anna   maria  brown ": "anna B.",
    "Jean-Luc O'Neill": "Jean-Luc O.",
    "Émile Zola": "Émile Z.",
    "Md.Rahman Hossain": "Md.Rahman H.",
    "Md. Rahman": "Md. R.",
    "Sean O‘Brien": "Sean O.",
    "D`Arcy Wu": "D`Arcy W.",
    "محمد علي": "محمد ع.",
    "A. Brown": "A. B.",
    "": "Customer",
    "0491570006": "Customer",
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a name of one word, and anything that is no name, is shown as its first letter", () => {
  const cases: Record<string, string> = {
    Anna: "A.",
    李小龙: "李.",
    محمد: "م.",
    हेमा: "हे.",
    "O‘Brien": "O.",
    "Md.Rahman": "M.",
    "Anna 0491570006": "A.",
    "Brown, Anna": "B.",
    "anna@mail.example": "A.",
    "lawnjo.com.au Brown": "L.",
  };
  for (const [name, shown] of Object.entries(cases)) expect(maskName(name), name).toBe(shown);
});

test("a review shows the first name only, or the initial of a name of one word", () => {
  expect(maskFirstName("Anna Brown")).toBe("Anna");
  expect(maskFirstName("李小龙")).toBe("李.");
});

test("a phone number is shown with its last three digits only", () => {
  expect(maskPhone("0491 570 006")).toBe("•••• ••• 006");
  expect(maskPhone("(02) 5550-0123")).toBe("•••• ••• 123");
  expect(maskPhone("0491 570 006 (after 6pm)")).toBe("•••• ••• 006");
  expect(maskPhone("02 5550 0123 x45")).toBe("•••• ••• 123");
  expect(maskPhone("call me maybe")).toBe("•••• ••• ");
});

test("a malformed cursor is refused", () => {
  for (const text of [
    "",
    "!",
    "bm9wZQ",
    btoa("x|lead_a"),
    btoa("1.5|lead_a"),
    btoa("1|"),
    btoa("1e99|lead_a"),
  ]) {
    expect(decodeCursor(text), text).toBeNull();
  }
});
