import { Link } from "react-router";

import { type CheckOverview, nameOfCheck } from "../../contract/checks.ts";
import { formatLongDay } from "../../contract/sydney-time.ts";
import { endsSoon, useOwnChecks } from "./own-checks.ts";

/** Returns what the business must send a new proof of; null if there is nothing to do. */
function findDue({ kind, valid, latest }: CheckOverview[number]): string | null {
  if (latest?.state === "waiting") return null;
  if (valid)
    return endsSoon(valid) ? `Your ${nameOfCheck(kind)} expires on ${formatLongDay(valid.endsOn!)}.` : null;
  if (latest?.state !== "ended") return null;
  return latest.endsOn ? `Your ${nameOfCheck(kind)} has expired.` : "You changed your ABN.";
}

/** Tells the owner on the dashboard which checks expire soon or have ended. */
export function CheckNotice() {
  const { data } = useOwnChecks();
  const due = data?.checks.map(findDue).filter((text) => text !== null) ?? [];
  if (due.length === 0) return null;
  return (
    <p className="check__notice">
      {due.join(" ")} <Link to="/settings#checks">Send us the new one</Link>
    </p>
  );
}
