import { expect, test } from "vitest";

import { processorMs } from "../../../testing/processor-time.ts";
import { passwordProblem } from "./password-rules.ts";

const person = {
  username: "nora.newcomer",
  email: "nora@newcomer-gardens.example",
  firstName: "Nora",
  lastName: "Newcomer",
  companyName: "Green Thumb Gardens",
};

test("common passwords are refused, even with added digits or symbols", () => {
  const guessed = [
    "123456",
    "1234567890",
    "654321",
    "111111",
    "121212",
    "abcabc",
    "112233",
    "147258369",
    "password",
    "Password1",
    "P@ssw0rd",
    "p4$$w0rd!",
    "passw0rd1!",
    "!!password!!",
    "pass.word",
    "ｐａｓｓｗｏｒｄ",
    "qwerty",
    "QWERTY123",
    "qwer1234",
    "asdfgh",
    "abc123",
    "1q2w3e4r",
    "1qaz2wsx",
    "iloveyou",
    "iloveyou2",
    "letmein",
    "welcome1",
    "Sydney2026",
    "summer2026!",
    "Dr@g0n99",
    "monkey",
    "sunshine",
    "lawnmower1",
    "naturestrip",
    "Naturestrip2026",
    "testtest",
    "dragondragon",
  ];
  for (const password of guessed) expect(passwordProblem(password, {}), password).not.toBeNull();
});

test("the user's own name, address and company are refused, with or without digits", () => {
  const own = [
    "nora.newcomer",
    "NoraNewcomer",
    "newcomer1",
    "Nora2026!",
    "n0ra1990",
    "newcomergardens",
    "greenthumb",
    "GreenThumbGardens",
    "nora@newcomer-gardens.example",
    "123nora123",
  ];
  for (const password of own) {
    expect(passwordProblem(password, person), password).not.toBeNull();
  }
  // Another user may use the same words, because they are not that user's name.
  expect(passwordProblem("newcomergardens", { username: "pat" })).toBeNull();
});

test("uncommon passwords are accepted, even with only six plain characters", () => {
  const honest = [
    "three plain words",
    "naturestrip-demo",
    "another-one",
    "tk7qzb",
    "wx9-Kfl",
    "correct horse battery staple",
    "the wattle flowers early",
    "Nora loves wattle trees",
    "passwords are silly",
    "qwerty has a garden",
    "8f3k-29dl",
    "mate pass the salt",
    "ünter-gärten",
    "芝生が好きです",
  ];
  for (const password of honest) expect(passwordProblem(password, person), password).toBeNull();
});

test("missing names and names of two letters do not refuse any password", () => {
  expect(passwordProblem("alpine-hut", { firstName: "Al", username: "al" })).toBeNull();
  expect(passwordProblem("alpine-hut", { firstName: "", email: null, companyName: "  " })).toBeNull();
});

test("a hostile password takes no longer to check than an ordinary one", () => {
  for (const unit of ["1", "aB", "@$!", "qwerty", "\u0301"]) {
    const person = { username: unit.repeat(100), companyName: unit.repeat(40) };
    const ms = processorMs(() => passwordProblem(unit.repeat(200).slice(0, 200), person));
    expect(ms, unit).toBeLessThan(20);
  }
});
