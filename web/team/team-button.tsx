import { latePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const teamDialog = latePart(async () => (await import("./team-dialog.tsx")).TeamDialog);

/** Opens a dialog with the owner's team and a form to add a member. */
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
