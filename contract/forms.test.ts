import { expect, test } from "vitest";

import { formToObject } from "./forms.ts";

function formOf(...entries: [string, string | Blob][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

test("fields become an object, empty ones stay empty texts", () => {
  expect(formToObject(formOf(["name", "Anna"], ["email", ""]))).toEqual({ name: "Anna", email: "" });
});

test("lists and flags are always there", () => {
  const shape = { lists: ["services", "extras"], flags: ["hasPets", "hasSlopes"] };
  const form = formOf(["services", "mowing"], ["services", "hedges"], ["hasPets", "on"]);
  expect(formToObject(form, shape)).toEqual({
    services: ["mowing", "hedges"],
    extras: [],
    hasPets: true,
    hasSlopes: false,
  });
});

test("of a field sent twice the last counts, and files are left out", () => {
  const photo = new Blob(["x"]);
  const form = formOf(["name", "Anna"], ["name", "Bea"], ["photo", photo]);
  expect(formToObject(form)).toEqual({ name: "Bea" });
  const list = formOf(["services", photo], ["services", "mowing"]);
  expect(formToObject(list, { lists: ["services"] })).toEqual({ services: ["mowing"] });
});
