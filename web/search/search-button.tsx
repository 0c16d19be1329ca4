import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { areKeysOff, isForAField } from "../pipeline/shortcuts.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const SearchDialog = lazy(() => import("./search-dialog.tsx"));

/** Searches everything, from anywhere on the dashboard: by its button or with the key "/". */
export function SearchButton({
  onLead,
  ...rest
}: {
  purchases: readonly PurchasedLead[];
  leads: readonly LeadSummary[];
  /** Whether more purchases are still coming. */
  isLoading: boolean;
  /** Shows a lead that is for sale. */
  onLead: (lead: LeadSummary) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "/" || event.defaultPrevented || isForAField(event) || areKeysOff()) return;
    event.preventDefault();
    setOpen(true);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Icon name="search" size={18} /> <span>Search</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog
            {...rest}
            onLead={(lead) => {
              setOpen(false);
              onLead(lead);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
