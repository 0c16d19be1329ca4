import { useRef, useState } from "react";

import { type AddressSource, MAPS_FAILED, type MapsSource, ownSuburbs } from "./address-source.ts";
import type * as GooglePlaces from "./google-places.ts";

type PlacesModule = typeof GooglePlaces;

/** "own": our list of suburbs. "failed": Google is unavailable, so we use our list. */
export type SourceState = "idle" | "loading" | "google" | "failed" | "own";

/** The empty field's placeholder. The hint below it is in `HINTS`. */
export const PLACEHOLDERS: Record<SourceState, string> = {
  idle: "Enter your address",
  loading: "Loading address autocomplete...",
  google: "Enter your address",
  failed: "Address autocomplete unavailable",
  own: "Enter your address",
};
export const HINTS: Record<SourceState, string> = {
  idle: "Street and suburb, or just a suburb or postcode.",
  loading: "Loading address autocomplete...",
  google: "Choose your address, or type it with the suburb.",
  failed: `${MAPS_FAILED}. Please type the whole address.`,
  own: "Street and suburb, or just a suburb or postcode.",
};

/**
 * Chooses the source of suggestions: Google with a key, otherwise our own suburbs. Falls back to our own suburbs if
 * Google fails. Loads nothing before `start`.
 */
export function useAddressSource(maps: MapsSource | null) {
  const [state, setState] = useState<SourceState>(maps ? "idle" : "own");
  const source = useRef<AddressSource>(ownSuburbs);

  function fallBackToOwnList() {
    source.current = ownSuburbs;
    setState("failed");
  }

  async function start() {
    if (!maps || state !== "idle") return;
    setState("loading");
    try {
      const { googlePlaces } = (await import(/* @vite-ignore */ maps.file)) as PlacesModule;
      source.current = await googlePlaces(maps.key);
      setState("google");
    } catch {
      fallBackToOwnList();
    }
  }

  /** Returns the current source's suggestions, or none if the source fails. */
  async function suggest(typed: string) {
    if (typed.trim().length < source.current.minLength) return [];
    try {
      return await source.current.suggest(typed);
    } catch {
      if (source.current !== ownSuburbs) fallBackToOwnList();
      return [];
    }
  }

  return { state, start, suggest, attribution: () => source.current.attribution };
}
