import { type KeyRing, readKeyRing } from "../../platform/keys.ts";
import { expect, test } from "vitest";

import { bankDetailsSchema } from "../../../contract/account.ts";
import { bankDetailsOf, maskBankDetails, openBankDetails, sealBankDetails } from "./commands.ts";

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
const OLD: KeyRing = [{ id: "2025", key: key(1) }];
const BOTH: KeyRing = [{ id: "2026", key: key(2) }, ...OLD];
const DETAILS = { bankName: "Harbour Bank", accountName: "Pat", bsb: "062000", accountNumber: "12345678" };

test("a key ring is read in order, and a malformed one is refused", () => {
  expect(readKeyRing(`2026:${key(2)}, 2025:${key(1)}`)).toEqual(BOTH);
  for (const text of [
    "",
    "2026",
    `2026:${key(2).slice(4)}`,
    `a b:${key(1)}`,
    `1:${key(1)},1:${key(2)}`,
    ",",
  ]) {
    expect(readKeyRing(text), text).toBeNull();
  }
});

test("encrypted details can be decrypted for their owner only, and do not reveal the plain text", async () => {
  const sealed = await sealBankDetails(OLD, "user_a", DETAILS);
  expect(await openBankDetails(OLD, "user_a", sealed)).toEqual(DETAILS);
  expect(Buffer.from(sealed.ciphertext, "base64").toString("latin1")).not.toContain("Harbour");
  await expect(openBankDetails(OLD, "user_b", sealed)).rejects.toThrow("operation");
  const bytes = Buffer.from(sealed.ciphertext, "base64");
  bytes[bytes.length - 1]! ^= 1;
  const corrupted = { ...sealed, ciphertext: bytes.toString("base64") };
  await expect(openBankDetails(OLD, "user_a", corrupted)).rejects.toThrow("operation");
});

test("the same details have a different ciphertext each time", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => sealBankDetails(OLD, "user_a", DETAILS)));
  expect(first!.ciphertext).not.toBe(second!.ciphertext);
});

test("after a change of the key, old details can be decrypted, and the next save uses the new key", async () => {
  const sealed = await sealBankDetails(OLD, "user_a", DETAILS);
  expect(await openBankDetails(BOTH, "user_a", sealed)).toEqual(DETAILS);
  const saved = await sealBankDetails(BOTH, "user_a", DETAILS);
  expect(saved.keyId).toBe("2026");
  const onlyNew = BOTH.slice(0, 1);
  expect(await openBankDetails(onlyNew, "user_a", saved)).toEqual(DETAILS);
  await expect(openBankDetails(onlyNew, "user_a", sealed)).rejects.toThrow("2025");
});

test("only the last three digits of the numbers are shown", () => {
  expect(maskBankDetails(DETAILS, 7)).toEqual({
    bankName: "Harbour Bank",
    accountName: "Pat",
    bsb: "•••000",
    accountNumber: "•••••678",
    updatedAt: 7,
  });
  expect(maskBankDetails(null, null).accountNumber).toBeNull();
});

test.each([
  [{ bsb: "062-000" }, { bsb: "062000" }],
  [
    { bsb: "062 000", accountNumber: "1234 5678" },
    { bsb: "062000", accountNumber: "12345678" },
  ],
  [{ bsb: "", accountNumber: "" }, null],
  [{}, null],
])("the form's %o is stored as %o", (form, expected) => {
  const empty = { bankName: null, accountName: null, bsb: null, accountNumber: null };
  expect(bankDetailsOf(bankDetailsSchema.parse(form))).toEqual(expected && { ...empty, ...expected });
});

test.each([{ bsb: "06200" }, { bsb: "06200a" }, { accountNumber: "1234" }, { accountNumber: "12345678901" }])(
  "the form's %o is refused",
  (form) => {
    const errors = bankDetailsSchema.safeParse(form).error!.issues;
    expect(errors.map(({ path }) => path[0])).toEqual(Object.keys(form));
  },
);
