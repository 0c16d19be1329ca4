import { MemberList, nameOf } from "./member-list.tsx";
import { useTeam } from "./team.ts";

/** Shows the owner's team at the bottom of the dashboard, collapsed to one line. Renders nothing without members. */
export function TeamSection() {
  const team = useTeam();
  if (!team.data?.length) return null;
  return (
    <details className="team">
      <summary className="muted text-sm">
        <strong>Team members</strong> {team.data.map(nameOf).join(", ")}
      </summary>
      <MemberList members={team.data} />
    </details>
  );
}
