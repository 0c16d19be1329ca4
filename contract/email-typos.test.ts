import { expect, test } from "vitest";

import { suggestEmail } from "./email-typos.ts";

test.each([
  ["anna@gmail.con", "gmail.com"],
  ["anna@gmial.com", "gmail.com"],
  ["anna@bigpnd.com", "bigpond.com"],
  ["anna@gmail.cmo", "gmail.com"],
  ["anna@gmail.co", "gmail.com"],
  ["anna@gmal.com", "gmail.com"],
  ["anna@gnail.com", "gmail.com"],
  ["anna@gmail.com.au", "gmail.com"],
  ["anna@gmail.comau", "gmail.com"],
  [" Anna@GMAILL.com ", "gmail.com"],
  ["anna@hotmial.con", "hotmail.com"],
  ["anna@outlok.com", "outlook.com"],
  ["anna@yahooo.com.au", "yahoo.com.au"],
  ["anna@iclod.com", "icloud.com"],
  ["anna@bigpond.net.aus", "bigpond.net.au"],
  ["anna@optusnet.com", "optusnet.com.au"],
  ["anna@opusnet.com.au", "optusnet.com.au"],
  ["anna@iinet.netau", "iinet.net.au"],
  ["anna@greenlawns.comau", "greenlawns.com.au"],
  ["anna@greenlawns.con.au", "greenlawns.com.au"],
])("%j is probably meant as …@%s", (typed, domain) => {
  expect(suggestEmail(typed)).toBe(`anna@${domain}`);
});

test.each([
  "anna@gmail.com",
  "anna@hotmail.com.au",
  "anna@hotmail.co.uk",
  "anna@yahoo.fr",
  "anna@yahoo.co.nz",
  "anna@live.com.au",
  "anna@me.com",
  "anna@gmx.com",
  "anna@mail.com",
  "anna@ymail.com",
  "anna@tpg.com.au",
  "anna@proton.me",
  "anna@outback.com",
  "anna@greenlawns.com.au",
  "anna@council.nsw.gov.au",
  "anna@kiev.com.ua",
  "anna@gmail",
  "anna",
  "a@b@gmial.com",
  "",
])("%j looks right, or is no address", (typed) => {
  expect(suggestEmail(typed)).toBeNull();
});
