// We use the combobox pattern, because native lists take the focus or cannot be styled.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useEffect, useRef } from "react";

import { type AddressSuggestion, NONE_OF_THESE } from "./address-source.ts";
import { ChangingText } from "../ui/changing-text.tsx";

/** Shows the list under the field. It is always in the page, so that the field can refer to it. */
export function SuggestionList({
  id,
  suggestions,
  active,
  attribution,
  onChoose,
}: {
  id: string;
  suggestions: readonly AddressSuggestion[];
  active: number;
  attribution: string | null;
  onChoose: (suggestion: AddressSuggestion) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const count = suggestions.filter((suggestion) => suggestion !== NONE_OF_THESE).length;
  return (
    <>
      {/* Keep the focus in the field while the visitor presses the list. */}
      <div className="suggestions" hidden={count === 0} onPointerDown={(event) => event.preventDefault()}>
        <div id={`${id}-list`} role="listbox" aria-label="Suggestions" ref={list}>
          {suggestions.map((suggestion, index) => (
            // The field handles the keys, as the pattern requires. Options never get the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={suggestion.id}
              id={`${id}-option-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => onChoose(suggestion)}
            >
              <strong>{suggestion.main}</strong> {suggestion.more}
            </div>
          ))}
        </div>
        {attribution && <p>{attribution}</p>}
      </div>
      <output className="visually-hidden">
        {count > 0 && <ChangingText>{count === 1 ? "1 suggestion" : `${count} suggestions`}</ChangingText>}
      </output>
    </>
  );
}
