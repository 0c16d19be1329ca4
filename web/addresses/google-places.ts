/** Place suggestions from Google. Loads only with the operator's key, and only when a visitor types an address. */
import { keepUnit } from "../../contract/address.ts";
import { type AddressSource, MAPS_FAILED } from "./address-source.ts";

const LOAD_TIMEOUT_MS = 10_000;
const READY_CALLBACK = "googleMapsReady";

type Prediction = {
  placeId: string;
  text: { text: string };
  mainText: { text: string } | null;
  secondaryText: { text: string } | null;
  toPlace(): {
    formattedAddress?: string | null;
    fetchFields(request: { fields: string[] }): Promise<unknown>;
  };
};

/** The part of the `places` library that we use. */
type PlacesLibrary = {
  AutocompleteSessionToken: new () => object;
  AutocompleteSuggestion: {
    fetchAutocompleteSuggestions(request: {
      input: string;
      sessionToken: object;
      includedRegionCodes: string[];
      language: string;
      region: string;
    }): Promise<{ suggestions: { placePrediction: Prediction | null }[] }>;
  };
};

type MapsWindow = {
  google?: { maps?: { importLibrary(name: "places"): Promise<PlacesLibrary> } };
  [READY_CALLBACK]?: () => void;
  /** Google calls this when it rejects the key. */
  gm_authFailure?: () => void;
};

let loading: Promise<PlacesLibrary> | null = null;

/**
 * Loads Google's script and its `places` library.
 * @throws Error "Failed to load Google Maps API"
 */
function loadPlaces(key: string): Promise<PlacesLibrary> {
  loading ??= addScript(key)
    .then(() => (window as MapsWindow).google!.maps!.importLibrary("places"))
    .catch((cause: unknown) => {
      // Let another field or another attempt load it again.
      loading = null;
      throw new Error(MAPS_FAILED, { cause });
    });
  return loading;
}

function addScript(key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const target = window as MapsWindow;
    target[READY_CALLBACK] = resolve;
    target.gm_authFailure = () => reject(new Error("The key was not accepted"));
    const script = document.createElement("script");
    const query = {
      key,
      v: "weekly",
      loading: "async",
      region: "AU",
      language: "en-AU",
      callback: READY_CALLBACK,
    };
    script.src = `https://maps.googleapis.com/maps/api/js?${new URLSearchParams(query)}`;
    script.async = true;
    script.addEventListener("error", reject);
    setTimeout(reject, LOAD_TIMEOUT_MS, new Error("No answer"));
    document.head.insertAdjacentElement("beforeend", script);
  });
}

/**
 * Returns a source of Australian addresses from Google. Google bills by session. Choosing a place returns its formatted
 * address and ends the session.
 * @throws Error "Failed to load Google Maps API"
 */
export async function googlePlaces(key: string): Promise<AddressSource> {
  const { AutocompleteSuggestion, AutocompleteSessionToken } = await loadPlaces(key);
  let sessionToken: object | null = null;

  async function suggest(typed: string) {
    sessionToken ??= new AutocompleteSessionToken();
    const { suggestions } = await AutocompleteSuggestion.fetchAutocompleteSuggestions({
      input: typed,
      sessionToken,
      includedRegionCodes: ["au"],
      language: "en-AU",
      region: "au",
    });
    return suggestions.flatMap(({ placePrediction: found }) =>
      found
        ? [
            {
              id: found.placeId,
              main: found.mainText?.text ?? found.text.text,
              more: found.secondaryText?.text ?? "",
              address: (now: string) => formattedAddress(found, now),
            },
          ]
        : [],
    );
  }

  async function formattedAddress(found: Prediction, typed: string): Promise<string | null> {
    const place = found.toPlace();
    await place.fetchFields({ fields: ["formattedAddress"] });
    sessionToken = null;
    return place.formattedAddress ? keepUnit(typed, place.formattedAddress) : null;
  }

  return { suggest, minLength: 3, attribution: "Powered by Google" };
}
