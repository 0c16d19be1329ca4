import { expect, test } from "vitest";

import { passwordProblem } from "./passwords.ts";

const person = {
  username: "nora.newcomer",
  email: "nora@newcomer-gardens.example",
  firstName: "Nora",
  lastName: "Newcomer",
  companyName: "Green Thumb Gardens",
};

test("the first passwords that people try are refused, in any case and with symbols", () => {
  for (const password of ["123456", "Password1!", "pass.word", "ｐａｓｓｗｏｒｄ", "QWERTY123", "sydney"])
    expect(passwordProblem(password, {}), password).toContain("first passwords");
});

test("the user's own name, address and company are refused, with or without digits", () => {
  const own = ["nora.newcomer", "NoraNewcomer", "newcomer1", "Nora2026!", "GreenThumbGardens", "123nora123"];
  for (const password of [...own, person.email])
    expect(passwordProblem(password, person), password).toContain("your own name");
  // Another user may use the same words.
  expect(passwordProblem("newcomer1", { username: "pat" })).toBeNull();
});

test("other passwords are accepted, even with only six plain characters", () => {
  const honest = [
    "three plain words",
    "tk7qzb",
    "Nora loves wattle trees",
    "芝生が好きです",
    "1826 4417",
    "!!!!!!",
  ];
  for (const password of honest) expect(passwordProblem(password, person), password).toBeNull();
  expect(passwordProblem("83015527", { firstName: "", email: null, companyName: "  " })).toBeNull();
});
