import { createContext, use, useEffect, useMemo, useState } from "react";

const TICK_MS = 20_000;

type Clock = {
  now: number;
  /** Corrects the clock to the server's time, because browser clocks are not trusted. */
  syncClock: (serverNow: number) => void;
};

const ClockContext = createContext<Clock | null>(null);

/**
 * Provides the current time to components that show an age.
 * @param renderedAt the server's time when it rendered the page. Hydration uses it too, so that both render the same
 * text.
 */
export function ClockProvider({ renderedAt, children }: { renderedAt: number; children: React.ReactNode }) {
  const [now, setNow] = useState(renderedAt);
  const [offset, setOffset] = useState(0);
  useEffect(() => {
    const tick = () => setNow(Date.now() + offset);
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [offset]);
  const clock = useMemo(
    () => ({
      now,
      syncClock: (serverNow: number) => {
        const measured = serverNow - Date.now();
        // A difference below two seconds is network delay, not a wrong clock.
        setOffset((current) => (Math.abs(measured - current) < 2_000 ? current : measured));
      },
    }),
    [now],
  );
  return <ClockContext value={clock}>{children}</ClockContext>;
}

export function useClock(): Clock {
  const clock = use(ClockContext);
  if (!clock) throw new Error("No ClockProvider");
  return clock;
}
