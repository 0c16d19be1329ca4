/**
 * Runs Cloudflare Turnstile in the browser. The form fetches this script when a visitor starts to fill it in, if the
 * check is switched on.
 */
import type { ChallengeAction, ChallengeSource } from "../../contract/challenges.ts";

/** Maximum time that a request waits for the check before it is sent without a token. */
const MAX_WAIT_MS = 5_000;
/** Maximum wait while the visitor has to tick a box. */
const MAX_INTERACTIVE_WAIT_MS = 60_000;
const POLL_MS = 100;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The part of Turnstile's script that we use. */
type Turnstile = {
  render(
    element: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      appearance: "interaction-only";
      size: "flexible" | "compact";
      theme: "auto";
      "response-field": false;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => true;
      "unsupported-callback": () => void;
      "before-interactive-callback": () => void;
    },
  ): unknown;
};

const readTurnstile = () => (globalThis as { turnstile?: Turnstile }).turnstile;

let loading: Promise<Turnstile> | null = null;

/** Loads Turnstile's script once. @throws Error if the script does not load: offline, or blocked by the browser */
function loadTurnstile(url: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.async = true;
    script.src = url;
    script.addEventListener("load", () => {
      const turnstile = readTurnstile();
      if (turnstile) resolve(turnstile);
      else reject(new Error("Turnstile did not start"));
    });
    script.addEventListener("error", () => reject(new Error("Turnstile did not come")));
    document.head.appendChild(script);
  }).catch((error: unknown) => {
    // Let another form on the page retry.
    loading = null;
    throw error;
  });
  return loading;
}

/** The widget is as wide as the form, or compact below this width. */
const NARROWEST_PX = 300;

export type Challenge = {
  /** Resolves to the browser's token, or to null if there is none in time. */
  token: () => Promise<string | null>;
};

/**
 * Starts the check. Most visitors see nothing. If a visitor has to tick a box, it appears in `element`.
 * @param element an empty element, out of the flow until the visitor has to tick a box
 */
export function startChallenge(
  element: HTMLElement,
  { siteKey, scriptUrl }: ChallengeSource,
  action: ChallengeAction,
): Challenge {
  const state: { token: string | null; isInteractive: boolean; isFinished: boolean } = {
    token: null,
    isInteractive: false,
    isFinished: false,
  };

  function render(turnstile: Turnstile) {
    turnstile.render(element, {
      sitekey: siteKey,
      action,
      appearance: "interaction-only",
      size: element.parentElement!.clientWidth < NARROWEST_PX ? "compact" : "flexible",
      theme: "auto",
      "response-field": false,
      callback: (token) => {
        state.token = token;
        state.isFinished = true;
      },
      // Turnstile fetches a new token itself.
      "expired-callback": () => {
        state.token = null;
        state.isFinished = false;
      },
      // Turnstile retries on its own, but the form's request does not wait for that.
      "error-callback": () => {
        state.isFinished = true;
        return true;
      },
      "unsupported-callback": () => {
        state.isFinished = true;
      },
      "before-interactive-callback": () => {
        state.isInteractive = true;
        element.style.position = "static";
      },
    });
  }

  loadTurnstile(scriptUrl)
    .then(render)
    .catch(() => {
      state.isFinished = true;
    });

  return {
    async token() {
      const started = performance.now();
      let isShown = false;
      while (!state.isFinished) {
        if (state.isInteractive && !isShown) {
          isShown = true;
          element.scrollIntoView({ block: "center" });
        }
        if (performance.now() - started > (state.isInteractive ? MAX_INTERACTIVE_WAIT_MS : MAX_WAIT_MS))
          break;
        await wait(POLL_MS);
      }
      return state.token;
    },
  };
}
