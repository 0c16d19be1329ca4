import { useClock } from "../lib/clock.tsx";
import { formatAge, formatDateTime } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";

/** Shows a lead's age, and updates it while it is visible. */
export function AgeBadge({ createdAt }: { createdAt: number }) {
  const { now } = useClock();
  const words = formatAge(createdAt, now);
  return (
    <Badge tone={words === "New" ? "fresh" : "neutral"}>
      <time dateTime={new Date(createdAt).toISOString()} title={formatDateTime(createdAt)}>
        {words}
      </time>
    </Badge>
  );
}
