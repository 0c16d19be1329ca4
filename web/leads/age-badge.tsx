import { useClock } from "../lib/clock.tsx";
import { formatAge, formatMoment } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";

/** How old a lead is; keeps counting while it is looked at. */
export function AgeBadge({ createdAt }: { createdAt: number }) {
  const { now } = useClock();
  const words = formatAge(createdAt, now);
  return (
    <Badge tone={words === "New" ? "fresh" : "neutral"}>
      <time dateTime={new Date(createdAt).toISOString()} title={formatMoment(createdAt)}>
        {words}
      </time>
    </Badge>
  );
}
