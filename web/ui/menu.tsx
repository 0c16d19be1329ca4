import { useId, useRef } from "react";

import { Icon } from "./icon.tsx";

export type MenuItem = { label: string; act: () => void };

/**
 * Shows a "⋯" button that opens a menu of rare actions. Renders nothing without items. The menu is a popover of the
 * browser: a tap outside or Escape closes it.
 * @param label the button's name for screen readers
 */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  if (items.length === 0) return null;
  const close = () => {
    popover.current?.hidePopover();
    // A dialog that an item opens returns the focus here.
    button.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes the menu from its button too
    <div
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !popover.current?.matches(":popover-open")) return;
        // The view around the menu stays open.
        event.preventDefault();
        close();
      }}
    >
      <button ref={button} type="button" className="icon-button" aria-label={label} popoverTarget={id}>
        <Icon name="more" />
      </button>
      <div id={id} ref={popover} popover="auto" className="menu-entries menu__items">
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            onClick={() => {
              close();
              item.act();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </div>
  );
}
