import { useDeferredValue, useEffect, useRef, useState } from "react";
import { Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type ResultGroup, findLeads, findPurchases } from "./find-results.ts";

type Job = { suburbName: string | null; serviceType: readonly string[] };

const jobOf = ({ suburbName, serviceType }: Job) =>
  [suburbName ?? "NSW", serviceType.map(serviceName).join(" + ")].join(", ");

export type SearchDialogProps = {
  purchases: readonly PurchasedLead[];
  leads: readonly LeadSummary[];
  /** Whether more purchases are still loading. */
  isLoading: boolean;
  /** Opens a lead that is for sale. */
  onLead: (lead: LeadSummary) => void;
  onClose: () => void;
};

/** Searches every stage and the market by name, phone, street, suburb or note. */
export function SearchDialog({ purchases, leads, isLoading, onLead, onClose }: SearchDialogProps) {
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const market = findLeads(q ? leads : [], q);
  const pipeline = findPurchases(q ? purchases : [], q);
  const total = market.count + pipeline.reduce((sum, { count }) => sum + count, 0);
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        ref={field}
        type="search"
        className="input"
        aria-label="Search all leads"
        placeholder="Name, phone, street, suburb, notes"
        autoComplete="off"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <output className="muted text-sm search__count">
        {q &&
          (total === 0
            ? "No matches. Try the start of a name or street, or the end of a phone number."
            : total === 1
              ? "1 lead"
              : `${total} leads`)}
        {q && isLoading && " so far. The rest of your pipeline is loading…"}
      </output>
      <Group found={market}>
        {(lead) => (
          <button type="button" className="search__hit" onClick={() => onLead(lead)}>
            <strong>
              <bdi>{lead.customerName}</bdi>
            </strong>
            <span className="muted text-sm">{jobOf(lead)}</span>
          </button>
        )}
      </Group>
      {pipeline.map((found) => (
        <Group key={found.tab} found={found}>
          {(purchase) => (
            <Link
              className="search__hit"
              to={`/dashboard?tab=${found.tab}&lead=${purchase.id}`}
              onClick={onClose}
            >
              <strong>
                <bdi>{purchase.customerName}</bdi>
              </strong>
              <span className="muted text-sm">{jobOf(purchase)}</span>
            </Link>
          )}
        </Group>
      ))}
    </Dialog>
  );
}

function Group<T extends { id: string }>({
  found: { label, tab, count, items },
  children,
}: {
  found: ResultGroup<T>;
  children: (item: T) => React.ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section aria-labelledby={`found-${tab}`} className="search__group">
      <h3 id={`found-${tab}`}>
        {label} <span>{count}</span>
      </h3>
      <ul>
        {items.map((item) => (
          <li key={item.id}>{children(item)}</li>
        ))}
      </ul>
      {count > items.length && (
        <p className="muted text-sm search__more">{count - items.length} more. Type another letter or two.</p>
      )}
    </section>
  );
}
