import { expect, test } from "vitest";

import { formToObject } from "./forms.ts";

function formOf(...entries: [string, string | Blob][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

test("a form becomes an object, and empty fields become empty strings", () => {
  expect(formToObject(formOf(["name", "Anna"], ["email", ""]))).toEqual({ name: "Anna", email: "" });
});

test("lists and flags are always present", () => {
  const shape = { lists: ["services", "extras"], flags: ["hasPets", "hasSlopes"] };
  const form = formOf(["services", "mowing"], ["services", "hedges"], ["hasPets", "on"]);
  expect(formToObject(form, shape)).toEqual({
    services: ["mowing", "hedges"],
    extras: [],
    hasPets: true,
    hasSlopes: false,
  });
});

test("the last value of a repeated field wins, and files are dropped", () => {
  const photo = new Blob(["x"]);
  const form = formOf(["name", "Anna"], ["name", "Bea"], ["photo", photo]);
  expect(formToObject(form)).toEqual({ name: "Bea" });
  const list = formOf(["services", photo], ["services", "mowing"]);
  expect(formToObject(list, { lists: ["services"] })).toEqual({ services: ["mowing"] });
});
