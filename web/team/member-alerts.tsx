import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import type { TeamAlerts, TeamMember } from "../../contract/team.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
import { TEAM_KEY } from "./team.ts";

const SWITCHES = [
  { name: "sales", label: "When the business gets a lead" },
  { name: "mentions", label: "When somebody mentions them" },
] as const satisfies readonly { name: keyof TeamAlerts; label: string }[];

/** What a member's phone tells them, as their owner has it; a tap saves it. */
export function MemberAlerts({ member, name }: { member: TeamMember; name: string }) {
  const listId = useId();
  const client = useQueryClient();
  const toast = useToast();
  const show = (alerts: TeamAlerts) =>
    client.setQueryData<TeamMember[]>(TEAM_KEY, (team) =>
      team?.map((one) => (one.id === member.id ? { ...one, alerts } : one)),
    );
  const change = useMutation({
    // One after the other: the last tap counts.
    scope: { id: `alerts-${member.id}` },
    mutationFn: (json: TeamAlerts) =>
      unwrap(browserApi().api["team-members"][":id"].alerts.$put({ param: { id: member.id }, json })),
    onMutate: (alerts) => {
      const before = member.alerts;
      show(alerts);
      return before;
    },
    onError: (error, _, before) => {
      if (before) show(before);
      toast({
        title: "Notifications weren't saved",
        description: messageOf(error, "Please check your connection and try again."),
        tone: "destructive",
      });
    },
  });
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
                checked={member.alerts[one.name]}
                onChange={({ target }) => change.mutate({ ...member.alerts, [one.name]: target.checked })}
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
