/**
 * The Turnstile stand-in as a server for the built product: siteverify, the script that browsers load, and its
 * frame. Runs in Node.
 */
import { browserScript, serveStandIn } from "./stand-in-server.ts";
import type { TurnstileStandIn } from "./turnstile-stand-in.ts";

/** The result of the visitor's check. */
type TurnstileBehaviour = "passes" | "asks" | "fails" | "silent";

const SCRIPTS: Record<TurnstileBehaviour, (token: string) => string> = {
  passes: (token) => `parent.postMessage({ token: "${token}" }, "*");`,
  asks: (token) =>
    `parent.postMessage("asks", "*"); document.body.innerHTML = "<button>Verify you are human</button>";
     document.querySelector("button").onclick = () => parent.postMessage({ token: "${token}" }, "*");`,
  fails: () => `parent.postMessage("failed", "*");`,
  silent: () => "",
};

function framePage(standIn: TurnstileStandIn, request: Request, behaviour: TurnstileBehaviour): Response {
  const { searchParams } = new URL(request.url);
  // The Referer identifies the page that contains the frame.
  const { hostname } = new URL(request.headers.get("Referer")!);
  if (searchParams.get("sitekey") !== standIn.siteKey) return new Response("Unknown key", { status: 400 });
  const token = standIn.issue({ hostname, action: searchParams.get("action")! });
  const html = `<!doctype html><title>Challenge</title><body><script>${SCRIPTS[behaviour](token)}</script>`;
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** Serves a stand-in on a free port. */
export async function serveTurnstile(standIn: TurnstileStandIn) {
  const state: { mood: TurnstileBehaviour } = { mood: "passes" };
  const { url, stop } = await serveStandIn((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/turnstile/v0/api.js") return browserScript("turnstile-browser.ts");
    if (pathname === "/turnstile/v0/siteverify") return standIn.fetch(request);
    if (pathname === "/frame") return framePage(standIn, request, state.mood);
    return new Response("Not found", { status: 404 });
  });
  return {
    url,
    /** Sets the result of checks from now on. */
    setBehaviour(behaviour: TurnstileBehaviour): void {
      state.mood = behaviour;
    },
    stop,
  };
}
