import { MemberList } from "./member-list.tsx";
import { useTeam } from "./team.ts";

/** The owner's team at the foot of the dashboard; nothing while there is nobody on it. */
export function TeamSection() {
  const team = useTeam(true);
  if (!team.data?.length) return null;
  return (
    <section className="team" aria-labelledby="team-title">
      <h2 id="team-title">Team members</h2>
      <MemberList members={team.data} />
    </section>
  );
}
