import { Link } from "react-router";

import { type Check, CHECK_LABELS, type CheckState, formatAbn } from "../../contract/checks.ts";
import type { ProviderPage } from "../../contract/providers.ts";
import { formatLongDay } from "../../contract/sydney-time.ts";
import { formatDate } from "../lib/format-time.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";

const STATES: Readonly<Record<Exclude<CheckState, "unused">, readonly [label: string, tone: BadgeTone]>> = {
  waiting: ["Waiting", "warm"],
  valid: ["Valid", "fresh"],
  refused: ["Declined", "hot"],
  ended: ["Ended", "hot"],
};

/** Returns the dates of a check, and why it was declined. */
function describeDates({ state, seenOn, endsOn, createdAt, reason }: Check): string {
  const until = endsOn && formatLongDay(endsOn);
  return [
    `Sent on ${formatDate(createdAt)}`,
    seenOn && `seen on ${formatLongDay(seenOn)}`,
    until && `${state === "ended" ? "last day" : "valid until"} ${until}`,
    state === "refused" && reason,
  ]
    .filter(Boolean)
    .join(", ");
}

function CheckLine({ check }: { check: Check }) {
  const { id, kind, number, hasFile, state } = check;
  const [label, tone] = STATES[state as keyof typeof STATES];
  return (
    <div>
      <Badge tone={tone}>{label}</Badge> {number && (kind === "abn" ? formatAbn(number) : number)}{" "}
      {hasFile && (
        <a href={`/api/super-admin/checks/${id}/file`} download>
          Download the certificate
        </a>
      )}
      <span className="list__sub">{describeDates(check)}</span>
    </div>
  );
}

/** Lists the checks of a provider's business: the valid one of each kind, and a newer one. */
export function ProviderChecks({ page: { checks } }: { page: ProviderPage }) {
  return (
    <section className="part" aria-labelledby="provider-checks">
      <h2 id="provider-checks">Checks</h2>
      <ul className="ruled">
        {checks.map(({ kind, valid, latest }) => {
          const found = [valid, latest].filter((check) => check !== null);
          return (
            <li key={kind}>
              <div>
                <span className="list__main">{CHECK_LABELS[kind]}</span>
              </div>
              <div className="stack gap-2 provider-page__checks">
                {found.length === 0 && <span className="list__sub">Nothing sent</span>}
                {found.map((check) => (
                  <CheckLine key={check.id} check={check} />
                ))}
              </div>
            </li>
          );
        })}
      </ul>
      <p>
        <Link to="/admin?show=checks">Decide on checks</Link>
      </p>
    </section>
  );
}
