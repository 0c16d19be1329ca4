/** The queue may lose, repeat or refuse messages. Each message is still sent once. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../contract/durations.ts";
import { callWith, db, testEnv } from "../../testing/client.ts";
import { putOnMarket, runSweeps } from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, tracesIn } from "../../testing/erased-customer.ts";
import { WITHOUT_D1 } from "../../testing/faulty-db.ts";
import { usePushStandIn, newRecipient, messagesFor, PUSH_SETTINGS } from "../../testing/push.ts";
import { runConsumer, QueueStandIn } from "../../testing/queue.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertPendingLead, quoteRequest } from "../../testing/world.ts";
import { messageChannels, messages, pushDevices } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";

const service = usePushStandIn();
let queue: QueueStandIn;
let box: ReturnType<typeof mailbox>;
let changed: Partial<Bindings>;
let env: Bindings;

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageChannels);
  await db.delete(pushDevices);
  service.delivered.length = 0;
  service.calls = 0;
  queue = new QueueStandIn();
  box = mailbox();
  changed = { ...PUSH_SETTINGS, ...box.changed, MESSAGE_QUEUE: queue.binding };
  env = { ...testEnv, ...changed };
});

const list = async () => putOnMarket(await insertPendingLead(db, ERASED_CUSTOMER), env);
const ask = () => callWith(changed, "POST", "/api/leads", { body: quoteRequest(ERASED_CUSTOMER) });
const titlesTo = (who: Awaited<ReturnType<typeof newRecipient>>) =>
  service.deliveredTo(who.subscription).map(({ data }) => data.notification.title);

test("a request's messages go through the queue, and the queue contains only their ids", async () => {
  const watcher = await newRecipient(service);
  expect((await ask()).status).toBe(201);
  expect([service.calls, box.sent]).toEqual([0, []]);
  await queue.drain(env);
  expect(titlesTo(watcher)).toHaveLength(1);
  expect(box.sent).toMatchObject([{ to: ERASED_EMAIL }]);
  for (const body of queue.taken)
    expect(body).toEqual({ ids: expect.arrayContaining([expect.stringMatching(/^msg_[0-9a-z]{20}$/)]) });
  expect(tracesIn(JSON.stringify(queue.taken))).toEqual([]);
});

test("after a crash between writing and enqueueing, the next sweep enqueues the messages", async () => {
  const watcher = await newRecipient(service);
  await list();
  expect(queue.taken).toEqual([]);
  await runSweeps(Date.now(), env);
  expect(service.calls).toBe(0);
  await queue.drain(env);
  expect([titlesTo(watcher).length, box.sent.length]).toEqual([1, 1]);
});

test("a batch that is redelivered, or delivered twice at once, sends nothing again", async () => {
  const watcher = await newRecipient(service);
  await ask();
  const first = structuredClone(queue.waiting);
  await Promise.all([runConsumer(env, first), runConsumer(env, first)]);
  const second = queue.waiting.splice(0);
  expect(second.length).toBeGreaterThan(0);
  await Promise.all([runConsumer(env, second), runConsumer(env, [...second, ...first])]);
  expect(await runConsumer(env, [...first, ...second])).toMatchObject({ retried: [] });
  expect([titlesTo(watcher).length, box.sent.length]).toEqual([1, 1]);
});

test("the sweep itself sends a message that the queue lost, once, after two minutes", async () => {
  const watcher = await newRecipient(service);
  await list();
  const start = Date.now();
  await runSweeps(start, env);
  await runSweeps(start + MINUTE_MS, env);
  expect([service.calls, box.sent.length]).toEqual([0, 0]);
  await runSweeps(start + 3 * MINUTE_MS, env);
  await runSweeps(start + 6 * MINUTE_MS, env);
  expect([titlesTo(watcher).length, box.sent.length]).toEqual([1, 1]);
  // The queue delivers late, but no message is sent again.
  await queue.drain(env);
  expect([titlesTo(watcher).length, box.sent.length]).toEqual([1, 1]);
});

test("with a full or absent queue, messages are sent directly at once and by the sweep", async () => {
  const watcher = await newRecipient(service);
  queue.isUnavailable = true;
  await ask();
  expect([titlesTo(watcher).length, box.sent.length]).toEqual([1, 1]);
  const other = await newRecipient(service, { watchedRegions: ["blacktown"] });
  await putOnMarket(
    await insertPendingLead(db, { customerAddress: "1 Main Street, Blacktown NSW 2148" }),
    env,
  );
  await runSweeps(Date.now(), env);
  expect(titlesTo(other)).toHaveLength(1);
  expect(queue.taken).toEqual([]);
});

test("unreadable queue messages are dropped, and the other messages are sent", async () => {
  const watcher = await newRecipient(service);
  await ask();
  const [good] = queue.waiting.splice(0);
  const bad = [
    null,
    "msg",
    {},
    { ids: [] },
    { ids: [7] },
    { ids: Array.from({ length: 5_000 }, () => "msg_x") },
  ];
  const outcome = await runConsumer(env, [...bad, good, ...bad]);
  expect(outcome.retried).toEqual([]);
  expect(outcome.acked).toHaveLength(2 * bad.length + 1);
  await queue.drain(env);
  expect(titlesTo(watcher)).toHaveLength(1);
});

test("a message that throws does not delay others, and is finally shown to an admin", async () => {
  const [broken, ...others] = [
    await newRecipient(service),
    await newRecipient(service),
    await newRecipient(service),
  ];
  await list();
  await runSweeps(Date.now(), env);
  await runConsumer(env, queue.waiting.splice(0, 1));
  // An invalid endpoint, which only a bug could write.
  await db.update(pushDevices).set({ endpoint: "nowhere" }).where(eq(pushDevices.id, broken.deviceId));
  await queue.drain(env);
  expect(others.map((one) => titlesTo(one).length)).toEqual([1, 1]);
  const start = Date.now();
  for (let i = 1; i <= 8; i++)
    await runSweeps(start + i * 1.5 * MINUTE_MS, { ...env, MESSAGE_QUEUE: undefined } as unknown as Bindings);
  expect(others.map((one) => titlesTo(one).length)).toEqual([1, 1]);
  expect(await messagesFor(broken.deviceId)).toMatchObject([{ attempts: 5, state: "failed" }]);
});

test("while D1 is down the queue retries, and no message is lost", async () => {
  await ask();
  const waiting = structuredClone(queue.waiting);
  expect(await runConsumer({ ...env, ...WITHOUT_D1 }, waiting)).toEqual({ acked: [], retried: ["0"] });
  await queue.drain(env);
  expect(box.sent).toHaveLength(1);
});

test("a channel that is off enqueues nothing", async () => {
  await db.insert(messageChannels).values({ channel: "email", isOn: false, mostADay: 1_000 });
  await list();
  await runSweeps(Date.now(), env);
  expect(queue.taken).toEqual([]);
  await db.update(messageChannels).set({ isOn: true });
  await runSweeps(Date.now(), env);
  await queue.drain(env);
  expect(box.sent).toHaveLength(1);
});

test("many messages are enqueued in batches, each message once", async () => {
  const recipientCount = 320;
  const { deviceId } = await newRecipient(service);
  const [device] = await db.select().from(pushDevices).where(eq(pushDevices.id, deviceId));
  for (let i = 0; i < recipientCount - 1; i++)
    await db
      .insert(pushDevices)
      .values({ ...device!, id: `psh_crowd${i}`, endpoint: `${device!.endpoint}${i}` });
  await list();
  await runSweeps(Date.now(), env);
  await runConsumer(env, queue.waiting.splice(0, 1));
  const handed = queue.waiting.flatMap((body) => (body as { ids: string[] }).ids);
  const written = await db.select({ id: messages.id }).from(messages).where(eq(messages.channel, "push"));
  expect(handed.toSorted()).toEqual(written.map(({ id }) => id).toSorted());
  expect(handed).toHaveLength(recipientCount);
  expect(queue.waiting).toHaveLength(Math.ceil(recipientCount / 50));
});
