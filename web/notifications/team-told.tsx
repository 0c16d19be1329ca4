import type { TeamAlerts } from "../../contract/team.ts";

/** What a team member's owner has them told of, in words. */
export function givenWords({ sales, mentions }: TeamAlerts): string {
  if (sales && mentions) return "when the business gets a lead, and when somebody mentions you";
  if (sales) return "when the business gets a lead";
  return mentions ? "when somebody mentions you" : "";
}

/** What a team member hears, and who decides it. */
export function TeamTold({ given }: { given: TeamAlerts }) {
  const words = givenWords(given);
  return (
    <>
      <p className="form__note">
        Your phone can tell you, even with Naturestrip closed, when somebody writes @ and your name in a
        lead&apos;s notes. It shows the suburb and the job, and nothing of the customer or the notes.
      </p>
      <p className="form__note">
        {words ? (
          <>
            What rings for you: <strong>{words}</strong>. The owner of your business chooses that.
          </>
        ) : (
          "Nothing rings for you: the owner of your business has turned it all off."
        )}
      </p>
    </>
  );
}
