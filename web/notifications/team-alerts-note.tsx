import type { TeamAlerts } from "../../contract/team.ts";

/** Returns a label for the alerts that an owner chose for a team member. */
export function teamAlertsLabel({ sales, mentions }: TeamAlerts): string {
  if (sales && mentions) return "when the business gets a lead and when someone mentions you";
  if (sales) return "when the business gets a lead";
  return mentions ? "when someone mentions you" : "";
}

/** Shows a team member which alerts the owner chose for them. */
export function TeamAlertsNote({ given }: { given: TeamAlerts }) {
  const words = teamAlertsLabel(given);
  return (
    <>
      <p className="form__note">
        {words ? (
          <>
            You'll get alerts <strong>{words}</strong>, even when Naturestrip is closed. The owner of your
            business chooses which.
          </>
        ) : (
          "You won't get alerts. The owner of your business has turned them off."
        )}
      </p>
      <p className="form__note">
        To mention you, someone writes @ and your name in a lead&apos;s notes. Your phone shows the suburb and
        the job, but not the customer or what the notes say.
      </p>
    </>
  );
}
