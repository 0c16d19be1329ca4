import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import type { AddressSuggestion, MapsSource } from "./address-source.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import { useAddressSource } from "./use-address-source.ts";

const WAIT_MS = 180;
const CLOSED = { suggestions: [] as AddressSuggestion[], active: -1 };

/**
 * Makes a plain address input a combobox once it is alive: suggestions under it, arrows, Enter, Escape or
 * a thumb. The input stays uncontrolled, so nothing typed before is lost.
 * @param id the input's id; the list's ids are made from it
 * @param maps Google's key; null: suburbs of our own
 */
export function useAddressCombobox(id: string, maps: MapsSource | null) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(0);
  /** Counts choices, and what is typed after one: a place's address comes a moment later. */
  const chosen = useRef(0);
  /** What the field's text stands for; false while a text is typed of which nothing was chosen yet. */
  const counts = useRef(true);
  const [isAlive, setAlive] = useState(false);
  const [{ suggestions, active }, setList] = useState(CLOSED);
  const { state, start, suggest, credit } = useAddressSource(maps);
  const isOpen = suggestions.length > 0;

  useEffect(() => {
    setAlive(true);
    // The touch that woke this island was the field's own.
    if (document.activeElement === input.current) void start();
    return () => clearTimeout(timer.current);
    // Once, when it comes alive.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  function close() {
    asked.current += 1;
    clearTimeout(timer.current);
    setList(CLOSED);
  }

  async function look(typed: string) {
    const turn = ++asked.current;
    const found = await suggest(typed);
    // A text nobody can complete has to count as it is, also for who has gone on: the form never blocks.
    if (found.length === 0 && input.current?.value === typed) counts.current = true;
    if (turn !== asked.current || document.activeElement !== input.current) return;
    setList({ suggestions: found, active: -1 });
  }

  function onInput() {
    const typed = input.current!.value;
    counts.current = false;
    asked.current += 1;
    chosen.current += 1;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void look(typed), WAIT_MS);
  }

  async function choose(suggestion: AddressSuggestion) {
    close();
    const turn = ++chosen.current;
    const address = await suggestion.address().catch(() => null);
    // Whoever has gone on to the next field has chosen all the same.
    if (address && turn === chosen.current && input.current) put(address);
  }

  /** Has the field hold an address that was chosen. */
  function put(address: string) {
    const field = input.current!;
    field.value = address;
    // For those who listen to the form: an error to clear, a button to enable. Then: nothing to look up.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close();
    counts.current = true;
    // Elsewhere than in its field the caret stays where it is: some browsers would bring the focus back.
    if (document.activeElement === field) field.setSelectionRange(address.length, address.length);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (!isOpen) {
      if (event.key === "ArrowDown" && input.current!.value) void look(input.current!.value);
      return;
    }
    const last = suggestions.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
    };
    if (event.key in moves) {
      event.preventDefault();
      setList({ suggestions, active: moves[event.key]! });
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      void choose(suggestions[active]!);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  }

  return {
    state,
    /** Whether the text may be sent: with Google, only a place that was chosen does. */
    put,
    isSettled: () => state !== "google" || counts.current,
    inputProps: {
      ref: input,
      onInput,
      onKeyDown,
      onFocus: () => {
        void start();
        // Back with the error of a text of which nothing was chosen: here is what to choose from.
        if (state === "google" && !counts.current) void look(input.current!.value);
      },
      onBlur: close,
      // Without script it is a plain field and says so.
      ...(isAlive && {
        role: "combobox",
        "aria-autocomplete": "list" as const,
        "aria-expanded": isOpen,
        "aria-controls": `${id}-list`,
        "aria-activedescendant": active >= 0 ? `${id}-option-${active}` : undefined,
      }),
    },
    list: isAlive && (
      <SuggestionList
        id={id}
        suggestions={suggestions}
        active={active}
        credit={credit()}
        onChoose={(suggestion) => void choose(suggestion)}
      />
    ),
  };
}
