import { useEffect, useEffectEvent } from "react";

import type { LatePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";
import { areKeysOff, isForAField } from "../pipeline/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { SearchDialogProps } from "./search-dialog.tsx";

/** Shows a button that opens the search of all leads from anywhere on the dashboard. The "/" key opens it too. */
export function SearchButton({
  part,
  onLead,
  ...rest
}: Omit<SearchDialogProps, "onClose"> & {
  /** The search dialog, whose code may still be loading. */
  part: LatePart<SearchDialogProps>;
}) {
  const { Dialog, open, close } = useLateDialog(part);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "/" || event.defaultPrevented || isForAField(event) || areKeysOff()) return;
    event.preventDefault();
    void open();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button look="quiet" onClick={(event) => void open(event.currentTarget)}>
        <Icon name="search" size={18} /> <span>Search</span>
      </Button>
      {Dialog && (
        <Dialog
          {...rest}
          onLead={(lead) => {
            close();
            onLead(lead);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
