import { latePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const teamDialog = latePart(async () => (await import("./team-dialog.tsx")).TeamDialog);

/** Opens the owner's team: its members, and a form to add one. */
export function TeamButton() {
  const { Dialog, open, close } = useLateDialog(teamDialog);
  return (
    <>
      <Button look="quiet" onClick={({ currentTarget }) => void open(currentTarget)}>
        <Icon name="team" size={18} /> <span>Team</span>
      </Button>
      {Dialog && <Dialog onClose={close} />}
    </>
  );
}
