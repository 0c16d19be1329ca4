/**
 * A stand-in for Turnstile's script, which turnstile-server.ts serves to browsers. Like the real one it runs
 * in its own frame, which the page's policy must allow. Runs as a classic script, with its types removed.
 */
type Options = {
  sitekey: string;
  action: string;
  callback: (token: string) => void;
  "error-callback": () => boolean;
  "before-interactive-callback": () => void;
};

/** The frame's messages. */
type Outcome = { token: string } | "asks" | "failed";

const home = new URL((document.currentScript as HTMLScriptElement).src).origin;

function render(element: HTMLElement, options: Options): string {
  const { sitekey, action } = options;
  const frame = document.createElement("iframe");
  frame.title = "Widget containing a Cloudflare security challenge";
  frame.src = `${home}/frame?${new URLSearchParams({ sitekey, action })}`;
  frame.style.cssText = "width: 0; height: 0; border: 0; display: block";
  addEventListener("message", ({ origin, data }: MessageEvent<Outcome>) => {
    if (origin !== home) return;
    if (data === "failed") options["error-callback"]();
    else if (data === "asks") {
      options["before-interactive-callback"]();
      frame.style.cssText = "width: 100%; height: 65px; border: 0; display: block";
    } else options.callback(data.token);
  });
  element.appendChild(frame);
  return "widget";
}

(globalThis as unknown as { turnstile: unknown }).turnstile = { render };
