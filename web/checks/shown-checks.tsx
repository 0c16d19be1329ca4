import { CHECK_LABELS, describeCheckDays, type ShownCheck } from "../../contract/checks.ts";
import { Icon } from "../ui/icon.tsx";

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
              : {describeCheckDays(check)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
