import { useRef, useState } from "react";

import { type AddressSource, MAPS_FAILED, type MapsSource, ownSuburbs } from "./address-source.ts";
import type * as GooglePlaces from "./google-places.ts";

type PlacesModule = typeof GooglePlaces;

/** "own": from our list of suburbs. "failed": Google was wanted and could not be had; ours stands in. */
export type SourceState = "idle" | "loading" | "google" | "failed" | "own";

/** What the field shows while it is empty, and what stands under it. */
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
  google: "Choose your address from the list",
  failed: `${MAPS_FAILED}. Please type the whole address.`,
  own: "Street and suburb, or just a suburb or postcode.",
};

/**
 * Where an address field's suggestions come from: Google with a key, our own suburbs without one or when
 * Google fails. Nothing is loaded before `start`.
 */
export function useAddressSource(maps: MapsSource | null) {
  const [state, setState] = useState<SourceState>(maps ? "idle" : "own");
  const source = useRef<AddressSource>(ownSuburbs);

  function fail() {
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
      fail();
    }
  }

  /** Suggestions of the source at hand; none when even ours cannot be asked. */
  async function suggest(typed: string) {
    if (typed.trim().length < source.current.minLength) return [];
    try {
      return await source.current.suggest(typed);
    } catch {
      if (source.current !== ownSuburbs) fail();
      return [];
    }
  }

  return { state, start, suggest, credit: () => source.current.credit };
}
