import { createLazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const teamDialog = createLazyPart(async () => (await import("./team-dialog.tsx")).TeamDialog);

/** Opens a dialog with the owner's team and a form to add a member. */
export function TeamButton() {
  const { Dialog, open, close } = useLazyDialog(teamDialog);
  return (
    <>
      <Button variant="quiet" onClick={({ currentTarget }) => void open(currentTarget)}>
        <Icon name="team" size={18} /> <span>Team</span>
      </Button>
      {Dialog && <Dialog onClose={close} />}
    </>
  );
}
