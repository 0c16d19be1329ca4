import { useClock } from "../lib/clock.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { type DueState, getDueState, formatDue } from "./due-state.ts";

const TONES: Record<DueState, BadgeTone> = { overdue: "hot", today: "warm", later: "neutral" };

/** Shows when the next action is due, with the word "Overdue" once that time has passed. */
export function DueBadge({ nextActionAt, note }: { nextActionAt: number; note: string | null }) {
  const { now } = useClock();
  const due = getDueState(nextActionAt, now);
  return (
    <Badge tone={TONES[due]}>
      {/* One element, so that a long note wraps below the time instead of beside it. */}
      <span>
        {due === "overdue" && "Overdue: "}
        {formatDue(nextActionAt, now)}
        {note && <span className="due__note"> {note}</span>}
      </span>
    </Badge>
  );
}
