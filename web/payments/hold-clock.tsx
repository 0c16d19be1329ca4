import { useEffect, useState } from "react";

import { HOLD_MINUTES, NEWCOMER_HOLD_SECONDS } from "../../contract/holds.ts";

/** Explains the shorter hold on a buyer's first lead. */
const NEWCOMER = `You have ${NEWCOMER_HOLD_SECONDS} seconds to pay for your first lead, and ${HOLD_MINUTES} minutes for each one after that.`;

/** Formats a countdown such as "4:05". */
function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Shows a hold's remaining time as a strip of lawn being mown.
 * @param endsAt by this browser's clock (epoch ms)
 * @param holdMs the hold's full length
 */
export function HoldClock({ endsAt, holdMs }: { endsAt: number; holdMs: number }) {
  const [leftMs, setLeftMs] = useState(() => endsAt - Date.now());
  useEffect(() => {
    const tick = () => setLeftMs(endsAt - Date.now());
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [endsAt]);
  const isShort = holdMs < HOLD_MINUTES * 60_000;
  const isRunningOut = leftMs < (isShort ? 30_000 : 60_000);
  const fraction = Math.min(1, Math.max(0, leftMs / holdMs));
  return (
    <div className="stack gap-2 hold" data-late={isRunningOut || undefined}>
      <p className="hold__words">
        <span role="timer">
          Reserved for you: <strong>{formatCountdown(leftMs)}</strong> left
        </span>
      </p>
      <div className="hold__strip" aria-hidden="true">
        <span style={{ width: `${fraction * 100}%` }} />
      </div>
      {isShort && <p className="muted text-sm">{NEWCOMER}</p>}
      <output className="visually-hidden">
        {isRunningOut && `Less than ${isShort ? "half a minute" : "a minute"} left to pay`}
      </output>
    </div>
  );
}
