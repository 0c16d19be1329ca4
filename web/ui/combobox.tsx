// The combobox pattern: native lists take the focus, cannot be styled, and do not belong to a field with several lines.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { type ReactNode, useEffect, useRef } from "react";

/** The list of a field. */
type List<Item> = {
  /** The prefix of the list's ids. */
  id: string;
  items: readonly Item[];
  /** The selected item's index; -1 for none. */
  active: number;
  select: (index: number) => void;
  choose: (item: Item) => void;
};

/** Returns the id of the selected item, for the field's `aria-activedescendant`. */
export const activeIdOf = ({ id, active }: Pick<List<unknown>, "id" | "active">) =>
  active >= 0 ? `${id}-option-${active}` : undefined;

/** Handles a key in the field of an open list: arrows select an item, Enter chooses it, Escape closes the list. */
export function handleListKey<Item>(event: KeyboardEvent, list: List<Item>, close: () => void) {
  if (event.isComposing) return;
  const { items, active, select, choose } = list;
  const last = items.length - 1;
  const steps: Record<string, number> = {
    ArrowDown: active >= last ? 0 : active + 1,
    ArrowUp: active <= 0 ? last : active - 1,
  };
  const next = steps[event.key];
  if (event.key === "Escape") close();
  else if (next !== undefined && last >= 0) select(next);
  else if (event.key === "Enter" && active >= 0) choose(items[active]!);
  else return;
  event.preventDefault();
}

/** Shows the list of a field. It is always in the page, so that the field can refer to it. */
export function ComboboxList<Item extends { id: string }>({
  list: { id, items, active, choose },
  show,
  isOpen,
  ...props
}: {
  list: List<Item>;
  show: (item: Item) => ReactNode;
  isOpen: boolean;
  label: string;
  className: string;
  /** What screen readers announce while the list is open. */
  status: ReactNode;
  /** What stands below the items. */
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  return (
    <>
      {/* Keep the focus in the field while the user presses the list. */}
      <div
        ref={box}
        className={props.className}
        hidden={!isOpen}
        onPointerDown={(event) => event.preventDefault()}
      >
        <div id={`${id}-list`} role="listbox" aria-label={props.label}>
          {items.map((item, index) => (
            // The field handles the keys, as the pattern requires. Options never get the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={item.id}
              id={`${id}-option-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => choose(item)}
            >
              {show(item)}
            </div>
          ))}
        </div>
        {props.children}
      </div>
      <output className="visually-hidden">{isOpen && props.status}</output>
    </>
  );
}
