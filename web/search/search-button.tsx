import { useEffect, useEffectEvent } from "react";

import type { LazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { areShortcutsOff, isTypedInField } from "../pipeline/shortcuts.ts";
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
  part: LazyPart<SearchDialogProps>;
}) {
  const { Dialog, open, close } = useLazyDialog(part);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "/" || event.defaultPrevented || isTypedInField(event) || areShortcutsOff()) return;
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
      <Button variant="quiet" onClick={(event) => void open(event.currentTarget)}>
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
