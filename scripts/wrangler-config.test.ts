import { readFileSync } from "node:fs";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

import { ROOT } from "../testing/tools.ts";

const CONFIG = readFileSync(`${ROOT}wrangler.toml`, "utf8");

/** Returns the value of a key in each section with this heading, in order. */
function valuesOf(heading: string, key: string): string[] {
  const sections = CONFIG.split(/^(?=\[)/m).filter((section) => section.startsWith(`[[${heading}]]`));
  return sections.map((section) => new RegExp(`^${key} = "(.*)"$`, "m").exec(section)![1]!);
}

test("each rate limit has its own number: two with the same number would share a limit", () => {
  const numbers = valuesOf("ratelimits", "namespace_id");
  expect(numbers.length).toBeGreaterThan(8);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("the Worker consumes the queue that it sends to, one message at a time, and the reports about emails", () => {
  const queues = valuesOf("queues.producers", "queue");
  expect(queues.length).toBeGreaterThan(0);
  expect(valuesOf("queues.consumers", "queue")).toEqual([...queues, "naturestrip-email-events"]);
  for (const queue of queues)
    expect(CONFIG).toContain(`[[queues.consumers]]\nqueue = "${queue}"\nmax_batch_size = 1\n`);
});

test("every object's class is declared, with SQLite as its storage", () => {
  const classes = valuesOf("durable_objects.bindings", "class_name");
  expect(classes.length).toBeGreaterThan(1);
  for (const name of classes)
    expect(CONFIG).toContain(`[exports.${name}]\ntype = "durable-object"\nstorage = "sqlite"\n`);
});

/**
 * Cloudflare hibernates an object that has been idle for this long. With a shorter delay no object could
 * hibernate.
 */
const IDLE_SECONDS = 10;
/** How long old objects may run alongside a new Worker (docs/decisions/0034). */
const MAX_MIXED_SECONDS = 300;

test("after a deploy objects keep their code until they hibernate, for at most five minutes", () => {
  const { durable_objects: objects } = unstable_readConfig({ config: `${ROOT}wrangler.toml` });
  expect(objects.code_update_strategy?.mode).toBe("deferred");
  expect(objects.code_update_strategy?.max_delay).toBeGreaterThan(IDLE_SECONDS);
  expect(objects.code_update_strategy?.max_delay).toBeLessThanOrEqual(MAX_MIXED_SECONDS);
});
