import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { AddMemberForm } from "./add-member-form.tsx";
import { MemberList } from "./member-list.tsx";
import { useTeam } from "./team.ts";

export function TeamDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Team" onClose={onClose}>
      <Members />
      <NotImpersonating only="add team members">
        <AddMemberForm onAdded={onClose} />
      </NotImpersonating>
    </Dialog>
  );
}

function Members() {
  const team = useTeam();
  if (!team.data?.length) return null;
  return <MemberList members={team.data} hasAlerts />;
}
