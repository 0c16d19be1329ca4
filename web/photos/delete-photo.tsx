import { useState } from "react";

import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";

type Props = {
  /** Such as "the photo “Before”". */
  name: string;
  disabled: boolean;
  onDelete: () => void;
};

/** Lets a business delete a photo. Asks first, because a deletion is immediate and permanent. */
export function DeletePhoto({ name, disabled, onDelete }: Props) {
  const [isAsked, setIsAsked] = useState(false);
  const close = () => setIsAsked(false);
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`Delete ${name}`}
        disabled={disabled}
        onClick={() => setIsAsked(true)}
      >
        Delete
      </Button>
      {isAsked && (
        <Dialog title="Delete this photo?" onClose={close}>
          <p>You can’t undo this. If the photo is on your page, we’ll remove it there too.</p>
          <DialogFooter back="Keep" onBack={close}>
            <Button
              className="button--danger"
              onClick={() => {
                close();
                onDelete();
              }}
            >
              Delete
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}
