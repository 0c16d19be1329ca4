import { expect, test } from "vitest";

import { RULE_TEXTS } from "../../contract/guarantee.ts";
import { toHtml } from "../../scripts/markdown-plugin.ts";
import { fillText } from "./fill-text.ts";
import terms from "./terms.md";

test("facts are filled in, also in addresses, and are no markup", () => {
  const html = toHtml("Write to **{{name}}**, who's at [{{email}}](mailto:{{email}}), within {{days}} days.");
  expect(fillText(html, { name: "<Smith> & Sons", email: "a@b.example", days: 3 })).toBe(
    '<p>Write to <strong>&lt;Smith&gt; &amp; Sons</strong>, who\'s at <a href="mailto:a@b.example">a@b.example</a>, within 3 days.</p>',
  );
});

test("a part is shown only with its fact, and leaves no empty item or paragraph", () => {
  const html = toHtml(
    "One{{#more}} and two{{#most}} and three{{/most}}{{/more}}.\n\n{{#most}}Four.{{/most}}\n\n- {{#more}}Five{{/more}}\n- Six",
  );
  expect(fillText(html, { more: false, most: true })).toBe("<p>One.</p><p>Four.</p><ul><li>Six</li></ul>");
  expect(fillText(html, { more: true, most: false })).toBe(
    "<p>One and two.</p><ul><li>Five</li><li>Six</li></ul>",
  );
  expect(fillText(html, { more: "yes", most: 1 })).toContain("<p>One and two and three.</p>");
});

test("a missing fact is an error", () => {
  expect(() => fillText("<p>{{day}}</p>", {})).toThrow("{{day}}");
  expect(() => fillText("<p>{{#day}}It is day.{{/day}}</p>", {})).toThrow("{{day}}");
});

test("the terms have every rule of the guarantee", () => {
  expect(Object.keys(RULE_TEXTS).filter((rule) => !terms.includes(`<li>{{${rule}}}</li>`))).toEqual([]);
});
