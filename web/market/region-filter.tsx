import { useId, useRef } from "react";

import { regionName } from "../../contract/regions.ts";
import { Icon } from "../ui/icon.tsx";
import { listMarket, type MarketState } from "./market.ts";

/** Filters the leads by watched region. On a phone, one button opens the choices at the bottom, near the thumb. */
export function RegionFilter({
  market,
  watched,
  chosen,
  onChoose,
  onChangeRegions,
}: {
  market: MarketState;
  watched: readonly string[];
  /** Null for all regions. */
  chosen: string | null;
  onChoose: (region: string | null) => void;
  onChangeRegions: (button: HTMLElement) => void;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const choice = useRef<HTMLFieldSetElement>(null);
  // With one region, "all" is that region.
  const shown = chosen ?? (watched.length === 1 ? watched[0]! : null);
  const choose = (region: string | null) => {
    choice.current?.hidePopover();
    onChoose(region);
  };
  return (
    <>
      <button type="button" className="chip filter-open" ref={opener} popoverTarget={id}>
        <span className="visually-hidden">Region: </span>
        <span className="filter-open__name">{shown ? regionName(shown) : "All your regions"}</span>
        <Icon name="chevron" size={18} />
      </button>
      <fieldset className="filter" id={id} ref={choice} popover="auto">
        <legend className="visually-hidden">Region</legend>
        {watched.length > 1 && (
          <button type="button" className="chip" aria-pressed={chosen === null} onClick={() => choose(null)}>
            All your regions
          </button>
        )}
        {watched.map((slug) => (
          <button
            key={slug}
            type="button"
            className="chip"
            aria-pressed={shown === slug}
            onClick={() => choose(slug)}
          >
            {regionName(slug)} <span>{listMarket(market, [slug]).count}</span>
          </button>
        ))}
        <button
          type="button"
          className="chip chip--act"
          onClick={({ currentTarget }) => {
            choice.current?.hidePopover();
            // On a phone this button disappears with the popover, so pass the button that opened the popover.
            onChangeRegions(currentTarget.checkVisibility() ? currentTarget : opener.current!);
          }}
        >
          <Icon name="sliders" size={18} /> Change regions
        </button>
      </fieldset>
    </>
  );
}
