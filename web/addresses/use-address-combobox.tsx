import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import { type AddressSuggestion, type MapsSource, NONE_OF_THESE } from "./address-source.ts";
import { ChangingText } from "../ui/changing-text.tsx";
import { activeIdOf, ComboboxList, handleListKey } from "../ui/combobox.tsx";
import { useAddressSource } from "./use-address-source.ts";

const DEBOUNCE_MS = 180;
const CLOSED = { suggestions: [] as AddressSuggestion[], active: -1 };

/**
 * Turns a plain address input into a combobox after hydration: suggestions, arrow keys, Enter, Escape and touch. The
 * input stays uncontrolled, so it keeps earlier input.
 * @param id the input's id, and the prefix of the list's ids
 * @param maps Google's key; null to use our own suburbs
 * @param apart what "None of these" does, which ends the list: `ask` runs when the visitor picks it; `clear` empties the
 *   separate suburb and postcode fields when a chosen address names its suburb
 */
export function useAddressCombobox(
  id: string,
  maps: MapsSource | null,
  apart: { ask: () => void; clear?: () => void },
) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(0);
  /** Increases with each choice or edit, so that a chosen address that arrives late is ignored. */
  const chosen = useRef(0);
  const [isHydrated, setHydrated] = useState(false);
  const [{ suggestions, active }, setList] = useState(CLOSED);
  const { state, start, suggest, attribution } = useAddressSource(maps);
  const isOpen = suggestions.length > 0;

  useEffect(() => {
    setHydrated(true);
    // The visitor focused this field before the island loaded.
    if (document.activeElement === input.current) void start();
    return () => clearTimeout(timer.current);
    // Runs once, after hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  function close() {
    asked.current += 1;
    clearTimeout(timer.current);
    setList(CLOSED);
  }

  async function fetchSuggestions(typed: string) {
    const requestId = ++asked.current;
    const found = await suggest(typed);
    if (requestId !== asked.current || document.activeElement !== input.current) return;
    setList({ suggestions: found.length > 0 ? [...found, NONE_OF_THESE] : found, active: -1 });
  }

  function onInput() {
    const typed = input.current!.value;
    asked.current += 1;
    chosen.current += 1;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void fetchSuggestions(typed), DEBOUNCE_MS);
  }

  async function choose(suggestion: AddressSuggestion) {
    close();
    if (suggestion === NONE_OF_THESE) return apart.ask();
    const requestId = ++chosen.current;
    const address = await suggestion.address(input.current!.value).catch(() => null);
    // Use the choice even if the visitor has moved to the next field.
    if (address && requestId === chosen.current && input.current) setAddress(address);
  }

  /** Sets the field to a chosen address. */
  function setAddress(address: string) {
    const field = input.current!;
    field.value = address;
    apart.clear?.();
    // Tell the form that the value changed, so that it clears errors or enables a button. Then close the list and
    // cancel the lookup.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
    // Set the caret only while the field has the focus, because some browsers would move the focus back.
    if (document.activeElement === field) field.setSelectionRange(address.length, address.length);
  }

  function onKeyDown({ nativeEvent: event }: KeyboardEvent) {
    const typed = input.current!.value;
    if (isOpen) handleListKey(event, list, close);
    else if (event.key === "ArrowDown" && typed && !event.isComposing) void fetchSuggestions(typed);
  }

  const list = {
    id,
    items: suggestions,
    active,
    select: (index: number) => setList({ suggestions, active: index }),
    choose: (suggestion: AddressSuggestion) => void choose(suggestion),
  };
  const count = suggestions.filter((suggestion) => suggestion !== NONE_OF_THESE).length;
  const shownAttribution = attribution();
  return {
    state,
    setAddress,
    inputProps: {
      ref: input,
      onInput,
      onKeyDown,
      onFocus: () => void start(),
      onBlur: close,
      // Before or without the script it is a plain field without combobox attributes.
      ...(isHydrated && {
        role: "combobox",
        "aria-autocomplete": "list" as const,
        "aria-expanded": isOpen,
        "aria-controls": `${id}-list`,
        "aria-activedescendant": activeIdOf(list),
      }),
    },
    list: isHydrated && (
      <ComboboxList
        list={list}
        show={({ main, more }) => (
          <>
            <strong>{main}</strong> {more}
          </>
        )}
        isOpen={isOpen}
        label="Suggestions"
        className="suggestions"
        status={<ChangingText>{count === 1 ? "1 suggestion" : `${count} suggestions`}</ChangingText>}
      >
        {shownAttribution && <p>{shownAttribution}</p>}
      </ComboboxList>
    ),
  };
}
