import { useState } from "react";

import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { AddMemberForm } from "./add-member-form.tsx";
import { MemberList } from "./member-list.tsx";
import { useTeam } from "./team.ts";

/** Opens the owner's team: who is on it, and a form for one more. */
export function TeamButton() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Icon name="team" size={18} /> <span>Team</span>
      </Button>
      {isOpen && (
        <Dialog title="Team" onClose={close}>
          <Members />
          <AddMemberForm onAdded={close} />
        </Dialog>
      )}
    </>
  );
}

function Members() {
  const team = useTeam(true);
  if (!team.data?.length) return null;
  return <MemberList members={team.data} />;
}

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
