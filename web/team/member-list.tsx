import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { TeamMember } from "../../contract/team.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { MemberAlerts } from "./member-alerts.tsx";
import { PasswordLinkDialog } from "./password-link-dialog.tsx";
import { TEAM_KEY, TEAM_NAMES_KEY } from "./team.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

export const nameOf = (member: TeamMember) => `${member.firstName} ${member.lastName}`;

/**
 * Shows the team's members with the owner's actions.
 * @param hasAlerts whether to show each member's notification settings
 */
export function MemberList({
  members,
  hasAlerts = false,
}: {
  members: readonly TeamMember[];
  hasAlerts?: boolean;
}) {
  const [asked, setAsked] = useState<{ member: TeamMember; kind: "link" | "removal" } | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <ul className="box members">
        {members.map((member) => (
          <li key={member.id} className="spread member">
            <div className="member__who">
              <p>
                <strong>{nameOf(member)}</strong> <Badge tone="warm">CRM Access Only</Badge>
              </p>
              <p className="cluster muted text-sm member__facts">
                {member.email && <a href={`mailto:${member.email}`}>{member.email}</a>}
                {member.phone && (
                  <span>
                    <PhoneNumber typed={member.phone} />
                  </span>
                )}
                {member.mustChangePassword && <span>Hasn't signed in yet</span>}
              </p>
            </div>
            <div className="member__acts">
              <NotImpersonating>
                <Button
                  variant="quiet"
                  aria-label={`Password link for ${nameOf(member)}`}
                  onClick={() => setAsked({ member, kind: "link" })}
                >
                  Password link
                </Button>
              </NotImpersonating>
              <Button
                variant="quiet"
                aria-label={`Remove ${nameOf(member)}`}
                onClick={() => setAsked({ member, kind: "removal" })}
              >
                Remove
              </Button>
            </div>
            {hasAlerts && <MemberAlerts member={member} name={nameOf(member)} />}
          </li>
        ))}
      </ul>
      {asked?.kind === "link" && <MemberLink member={asked.member} onClose={close} />}
      {asked?.kind === "removal" && <RemoveMemberDialog member={asked.member} onClose={close} />}
    </>
  );
}

function MemberLink({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  return (
    <PasswordLinkDialog
      name={member.firstName}
      issue={() =>
        unwrap(browserApi().api["team-members"][":id"]["password-link"].$post({ param: { id: member.id } }))
      }
      onClose={onClose}
    />
  );
}

/** Asks before removing a member, because that is immediate and permanent. */
function RemoveMemberDialog({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unwrap(browserApi().api["team-members"][":id"].$delete({ param: { id: member.id } })),
    meta: { done: "Team member removed", failed: "Error removing team member", refreshes: [TEAM_NAMES_KEY] },
    onSuccess: () => {
      client.setQueryData<TeamMember[]>(TEAM_KEY, (team) => team?.filter(({ id }) => id !== member.id));
      onClose();
    },
    onError: onClose,
  });
  return (
    <Dialog title={`Remove ${nameOf(member)}?`} onClose={onClose}>
      <p>
        {member.firstName} will be signed out everywhere and can't sign in again. Their notes and changes will
        stay under their name.
      </p>
      <DialogFooter back="Keep" onBack={onClose}>
        <Button className="button--danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? "Removing…" : "Remove"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
