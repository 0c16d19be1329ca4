import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { formatGrace, makeGrace, type Word } from "./grace.ts";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Delivers the messages between windows and their replies. */
const settle = () => vi.advanceTimersByTimeAsync(0);

function makeBrowser() {
  const ears = new Map<object, (word: Word) => void>();
  return {
    openWindow() {
      const told: string[] = [];
      const heard: string[] = [];
      /** The exchange's responses wait for this promise. */
      const line = { answer: Promise.resolve() };
      const grace = makeGrace(
        {
          // Asynchronous, as between real windows.
          say: (word) =>
            queueMicrotask(() => {
              for (const [of, hear] of ears) if (of !== line) hear(word);
            }),
          hear: (take) => void ears.set(line, take),
        },
        (holdId) => {
          told.push(holdId);
          return line.answer;
        },
      );
      const news = {
        onSent: () => void heard.push("sent"),
        onGone: () => void heard.push("gone"),
        onElsewhere: () => void heard.push("elsewhere"),
      };
      /** Begins a purchase and leaves it. @param leftMs time left of its hold */
      const letGoSoon = (leadId: string, leftMs = 5 * MINUTE) =>
        grace.letGoSoon(
          grace.begin(leadId),
          { holdId: `hold of ${leadId}`, endsAt: Date.now() + leftMs },
          news,
        );
      return { ...grace, letGoSoon, soon: grace.letGoSoon, told, heard, line, news };
    },
  };
}

const openWindow = () => makeBrowser().openWindow();

test("a lead is let go of ten seconds after, and said to be on its way before the answer", async () => {
  const window = openWindow();
  const answer = Promise.withResolvers<void>();
  window.line.answer = answer.promise;
  const leaving = window.letGoSoon("a");
  expect(leaving.ms).toBe(10_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect([window.told, window.heard, leaving.state]).toEqual([[], [], "waiting"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([window.told, window.heard, leaving.state]).toEqual([["hold of a"], ["sent"], "sent"]);
  answer.resolve();
  await settle();
  expect(window.heard).toEqual(["sent", "gone"]);
});

test("a hold that ends sooner is let go of sooner, and says how soon", async () => {
  const window = openWindow();
  const leaving = window.letGoSoon("a", 6_400);
  expect(formatGrace(leaving.ms)).toBe("in 6 seconds");
  await vi.advanceTimersByTimeAsync(6_400);
  expect(window.told).toEqual(["hold of a"]);
  expect(window.letGoSoon("b", -1).ms).toBe(0);
});

test.each([
  [10_000, "in 10 seconds"],
  [1_999, "in 1 second"],
  [1_000, "in 1 second"],
  [999, "in a moment"],
  [0, "in a moment"],
])("%i ms to take a lead back are shown as %s", (ms, words) => {
  expect(formatGrace(ms)).toBe(words);
});

test("a lead that is begun again is kept, and all others go at once", async () => {
  const window = openWindow();
  const first = window.letGoSoon("a");
  const second = window.letGoSoon("b");
  expect([window.told, first.state, second.state]).toEqual([["hold of a"], "sent", "waiting"]);
  window.begin("b");
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect([window.told, second.state]).toEqual([["hold of a"], "kept"]);
});

test("a window that goes on with a lead keeps it from being let go of by the one that left it", async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.openWindow(), browser.openWindow()];
  const leaving = first.letGoSoon("a");
  const other = browser.openWindow();
  await settle();
  other.begin("b");
  await settle();
  expect(leaving.state).toBe("waiting");
  second.begin("a");
  await settle();
  expect([leaving.state, first.heard]).toEqual(["kept", ["elsewhere"]]);
  await first.sendAll(true);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(first.told).toEqual([]);
});

test("a lead that another window is at stays, whichever of them began it; the last one lets it go", async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.openWindow(), browser.openWindow()];
  const turn = second.begin("a");
  await settle();
  first.letGoSoon("a");
  await settle();
  expect(first.heard).toEqual(["elsewhere"]);
  second.soon(turn, { holdId: "hold of a", endsAt: Date.now() + MINUTE }, second.news);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect([first.told, second.told]).toEqual([[], ["hold of a"]]);
});

test("a late answer releases a lead that is no longer wanted", async () => {
  const window = openWindow();
  const turn = window.begin("a");
  window.leave(turn);
  window.begin("b");
  await settle();
  expect(await window.letGoOfLate(turn, "hold of a")).toBe(true);
  expect(window.told).toEqual(["hold of a"]);
});

test("a late answer takes nothing from a purchase that was begun again, or that can be taken back", async () => {
  const window = openWindow();
  const first = window.begin("a");
  window.leave(first);
  const again = window.begin("a");
  expect(await window.letGoOfLate(first, "hold of a")).toBe(false);
  window.soon(again, { holdId: "hold of a", endsAt: Date.now() + MINUTE }, window.news);
  expect(await window.letGoOfLate(again, "hold of a")).toBe(false);
  // No window knows this hold.
  expect(await window.letGoOfLate(again, "hold of a script")).toBe(true);
  expect(window.told).toEqual(["hold of a script"]);
});

test("a late answer takes nothing from another window, until that one has left as well", async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.openWindow(), browser.openWindow()];
  const there = second.begin("a");
  await settle();
  const turn = first.begin("a");
  first.leave(turn);
  await settle();
  expect(await first.letGoOfLate(turn, "hold of a")).toBe(false);
  second.leave(there);
  await settle();
  expect(await first.letGoOfLate(turn, "hold of a")).toBe(true);
});

test("a lead is requested again once the exchange has confirmed its release; others at once", async () => {
  const window = openWindow();
  const answer = Promise.withResolvers<void>();
  window.line.answer = answer.promise;
  window.letGoSoon("a");
  const asked: string[] = [];
  const ask = async (leadId: string) => {
    window.begin(leadId);
    await window.untilFree(leadId);
    asked.push(leadId);
  };
  const waits = ask("b");
  await vi.advanceTimersByTimeAsync(MINUTE);
  const last = ask("a");
  await settle();
  expect([window.told, asked]).toEqual([["hold of a"], ["b"]]);
  const left = window.untilAllFree();
  answer.resolve();
  await Promise.all([waits, last, left]);
  expect(window.untilAllFree()).toBeNull();
  expect(asked).toEqual(["b", "a"]);
});

test("who is signed out lets go of what waits, and waits for what is under way", async () => {
  const window = openWindow();
  const answer = Promise.withResolvers<void>();
  window.line.answer = answer.promise;
  window.letGoSoon("a");
  window.letGoSoon("b");
  let isDone = false;
  const all = window.sendAll(false).then(() => (isDone = true));
  await settle();
  expect([window.told, isDone]).toEqual([["hold of a", "hold of b"], false]);
  answer.resolve();
  await all;
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(window.told).toEqual(["hold of a", "hold of b"]);
});
