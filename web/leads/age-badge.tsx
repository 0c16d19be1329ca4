import { useClock } from "../lib/clock.tsx";
import { ageWords, momentWords } from "../lib/time-words.ts";
import { Badge } from "../ui/badge.tsx";

/** How old a lead is; keeps counting while it is looked at. */
export function AgeBadge({ createdAt }: { createdAt: number }) {
  const { now } = useClock();
  const words = ageWords(createdAt, now);
  return (
    <Badge tone={words === "New" ? "fresh" : "neutral"}>
      <time dateTime={new Date(createdAt).toISOString()} title={momentWords(createdAt)}>
        {words}
      </time>
    </Badge>
  );
}
