import { useUser } from "../auth/current-user.ts";
import { Icon } from "../ui/icon.tsx";
import { useStopImpersonation } from "./use-impersonation.ts";

/** Shows the impersonated user while impersonating, with a button to stop. */
export function ImpersonationBanner() {
  const user = useUser();
  const stop = useStopImpersonation();
  const name = `${user.firstName} ${user.lastName}`;
  const role = user.userType === "team_member" ? "team member" : (user.companyName ?? "provider");
  return (
    <aside className="line impersonation" aria-label="Impersonation">
      <Icon name="user" size={20} />
      <p>
        <strong>You are impersonating {name}</strong> <span>({role}).</span>{" "}
        <span className="impersonation__limits">
          Changes apply to their account and are logged as yours. You can't buy or move leads, log calls, or
          change photos, passwords or bank details.
        </span>
      </p>
      <button type="button" className="button" disabled={stop.isPending} onClick={() => stop.mutate()}>
        {stop.isPending ? "Stopping..." : "Stop Impersonating"}
      </button>
    </aside>
  );
}
