import { PASSWORD_MIN } from "../../contract/auth.ts";

/** Rates a password from 0 (too short) to 3, with a label for the user. */
export function passwordStrength(password: string): { score: 0 | 1 | 2 | 3; words: string } {
  if (password.length < PASSWORD_MIN) return { score: 0, words: `Minimum ${PASSWORD_MIN} characters` };
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const variety = new Set(password).size;
  if (variety < 5 || password.length < 8) return { score: 1, words: "Weak: longer is better" };
  // Length matters more than variety: three plain words are harder to guess than one word with a digit.
  if (password.length >= 14 || (password.length >= 10 && kinds >= 3)) {
    return { score: 3, words: "Strong" };
  }
  return { score: 2, words: "Fair: a few more characters will make it strong" };
}
