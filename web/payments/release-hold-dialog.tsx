import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";

/** Asks for confirmation before a held lead returns to the market, in case of an accidental tap. */
export function ReleaseHoldDialog({
  mustWait,
  onKeep,
  onRelease,
}: {
  /** Whether the buyer has to wait before trying this lead again. */
  mustWait: boolean;
  onKeep: () => void;
  onRelease: () => void;
}) {
  return (
    <Dialog title="Release this lead?" onClose={onKeep}>
      <p>
        It'll go back on the market
        {mustWait && `, and you can't buy it again for ${SAME_LEAD_WAIT_MINUTES} minutes`}. You haven't been
        charged.
      </p>
      <DialogFooter back="Release it" onBack={onRelease}>
        <Button variant="main" onClick={onKeep}>
          Keep it
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
