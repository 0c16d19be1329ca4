import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";

import type { TeamAlerts, TeamMember } from "../../contract/team.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { reload } from "../lib/query-client.ts";
import { Icon } from "../ui/icon.tsx";
import { TEAM_KEY } from "./team.ts";

const SWITCHES = [
  { name: "sales", label: "When the business gets a lead" },
  { name: "mentions", label: "When someone mentions them" },
] as const satisfies readonly { name: keyof TeamAlerts; label: string }[];

/** Shows a member's notification settings to the owner. Each tap saves. */
export function MemberAlerts({ member, name }: { member: TeamMember; name: string }) {
  const listId = useId();
  const client = useQueryClient();
  const show = (alerts: TeamAlerts) =>
    client.setQueryData<TeamMember[]>(TEAM_KEY, (team) =>
      team?.map((one) => (one.id === member.id ? { ...one, alerts } : one)),
    );
  // The query cache notifies React after the tap. Without this state React would reset the checkbox first.
  const [tapped, setTapped] = useState<TeamAlerts>();
  const alerts = tapped ?? member.alerts;
  // The server's state. A refused change reverts to it, even after several refusals.
  const saved = useRef(alerts);
  const change = useMutation({
    // Send changes in sequence, so that the last tap wins.
    scope: { id: `alerts-${member.id}` },
    mutationFn: (json: TeamAlerts) =>
      unwrap(browserApi().api["team-members"][":id"].alerts.$put({ param: { id: member.id }, json })),
    meta: { failed: "Notifications weren't saved" },
    onMutate: show,
    onSuccess: (answer) => {
      saved.current = answer;
      show(answer);
    },
    onError: () => {
      show(saved.current);
      // The server may have saved the change even if its response was lost.
      void reload(client, TEAM_KEY);
    },
    onSettled: (_data, _error, sent) => setTapped((last) => (last === sent ? undefined : last)),
  });
  const toggleAlert = (wanted: TeamAlerts) => {
    if (!tapped) saved.current = alerts;
    setTapped(wanted);
    change.mutate(wanted);
  };
  return (
    <fieldset className="member__alerts">
      <legend>
        Notifications <span className="visually-hidden">for {name}</span>
      </legend>
      <div className="choices">
        {SWITCHES.map((one) => {
          const id = `${listId}-${one.name}`;
          return (
            <span className="choice" key={one.name}>
              <input
                type="checkbox"
                id={id}
                checked={alerts[one.name]}
                onChange={({ target }) => toggleAlert({ ...alerts, [one.name]: target.checked })}
              />
              <label htmlFor={id}>
                <span className="choice__tick">
                  <Icon name="check" size={14} />
                </span>
                {one.label}
              </label>
            </span>
          );
        })}
      </div>
    </fieldset>
  );
}
