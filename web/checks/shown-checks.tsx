import { CHECK_LABELS, type ShownCheck } from "../../contract/checks.ts";
import { formatLongDay } from "../../contract/sydney-time.ts";
import { Icon } from "../ui/icon.tsx";

/** Returns when we checked it, for customers. */
function describeDays({ kind, seenOn, endsOn }: ShownCheck): string {
  const seen = `${kind === "abn" ? "checked" : "seen"} on ${formatLongDay(seenOn)}`;
  // A police check only says something about its own day.
  return endsOn && kind !== "police" ? `${seen}, valid until ${formatLongDay(endsOn)}` : seen;
}

/** Lists what we have checked about a provider, and when. Renders nothing without checks. */
export function ShownChecks({ checks }: { checks: readonly ShownCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <div className="shown-checks">
      <p>What we’ve checked</p>
      <ul>
        {checks.map((check) => (
          <li key={check.kind}>
            <Icon name="check" size={18} />
            <span>
              <strong>
                {CHECK_LABELS[check.kind]}
                {check.number && ` ${check.number}`}
              </strong>
              : {describeDays(check)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
