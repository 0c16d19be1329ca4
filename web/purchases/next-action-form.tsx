import { useId, useState } from "react";

import { NEXT_ACTION_NOTE_MAX } from "../../contract/purchases.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { useClock } from "../lib/clock.tsx";
import { getDueState, formatDue } from "./due-state.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/field.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

type Typed = { day?: string; note?: string };

/** Edits the next action: a day and a short note. The lead appears under Today when the action is due. */
export function NextActionForm({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { now } = useClock();
  const { change, isSending } = usePurchaseChange(purchase.id);
  const { nextActionAt, nextActionNote } = purchase;
  const [typed, setTyped] = useState<Typed>({});
  const [error, setError] = useState("");
  const storedDay = nextActionAt === null ? "" : sydneyDay(nextActionAt);
  const day = typed.day ?? storedDay;
  const note = typed.note ?? nextActionNote ?? "";
  const isChanged = day !== storedDay || note.trim() !== (nextActionNote ?? "");
  const today = sydneyDay(now);

  const save = (newDay: string, newNote: string, sent = typed) => {
    // If the day is the same, keep its time.
    const at = newDay === "" ? null : newDay === storedDay ? nextActionAt : startOfSydneyDay(newDay);
    if (newDay === "" && newNote.trim()) return setError("Please choose a day for it");
    if (newDay !== "" && at === null) return setError("Please choose a day");
    setError("");
    void change({ nextActionAt: at, nextActionNote: at === null ? null : newNote.trim() || null }).then(
      // Keep text typed during the request.
      (isSaved) => isSaved && setTyped((latest) => (latest === sent ? {} : latest)),
    );
  };
  return (
    <form
      className="stack gap-2"
      aria-label="Next action"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(day, note);
      }}
    >
      <div className="next__head">
        <h3>Next action</h3>
        {nextActionAt !== null && (
          <span className="next__due" data-due={getDueState(nextActionAt, now)}>
            {getDueState(nextActionAt, now) === "overdue" && "Overdue: "}
            {formatDue(nextActionAt, now)}
          </span>
        )}
      </div>
      <div className="cluster gap-2 next__days">
        {[
          ["Today", today],
          ["Tomorrow", addDays(today, 1)],
          ["In a week", addDays(today, 7)],
        ].map(([label, value]) => (
          <button
            key={label}
            type="button"
            className="chip"
            aria-pressed={day === value}
            onClick={() => {
              const chosen = { ...typed, day: value! };
              setTyped(chosen);
              save(value!, note, chosen);
            }}
          >
            {label}
          </button>
        ))}
        <label className="visually-hidden" htmlFor={`${id}-day`}>
          Day
        </label>
        <input
          id={`${id}-day`}
          type="date"
          className="input"
          value={day}
          min="2020-01-01"
          max="2100-12-31"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => setTyped({ ...typed, day: event.target.value })}
        />
      </div>
      <div className="next__note">
        <label className="visually-hidden" htmlFor={`${id}-note`}>
          What to do
        </label>
        <input
          id={`${id}-note`}
          className="input"
          placeholder="What to do, such as send the quote"
          maxLength={NEXT_ACTION_NOTE_MAX}
          autoComplete="off"
          value={note}
          onChange={(event) => setTyped({ ...typed, note: event.target.value })}
        />
        {isChanged ? (
          <Button type="submit" variant="quiet" isBusy={isSending}>
            {isSending ? "Saving…" : "Save"}
          </Button>
        ) : (
          nextActionAt !== null && (
            <Button variant="quiet" isBusy={isSending} onClick={() => save("", "")}>
              Done
            </Button>
          )
        )}
      </div>
      <FieldError name={id} error={error} />
    </form>
  );
}
