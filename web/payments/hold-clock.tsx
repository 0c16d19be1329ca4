import { useEffect, useState } from "react";

import { HOLD_MINUTES } from "../../contract/payments.ts";

const HOLD_MS = HOLD_MINUTES * 60_000;

/** Time as on a stopwatch, such as "4:05". */
function clockWords(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long the lead stays set aside: a strip of lawn that is mown away as the time goes by. */
export function HoldClock({ endsAt }: { endsAt: number }) {
  const [leftMs, setLeftMs] = useState(() => endsAt - Date.now());
  useEffect(() => {
    const tick = () => setLeftMs(endsAt - Date.now());
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [endsAt]);
  const isLate = leftMs < 60_000;
  const share = Math.min(1, Math.max(0, leftMs / HOLD_MS));
  return (
    <div className="hold" data-late={isLate || undefined}>
      <p className="hold__words">
        <span>Set aside for you</span>
        <span role="timer">
          <strong>{clockWords(leftMs)}</strong> left to pay
        </span>
      </p>
      <div className="hold__strip" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <output className="visually-hidden">{isLate && "Less than a minute left to pay"}</output>
    </div>
  );
}
