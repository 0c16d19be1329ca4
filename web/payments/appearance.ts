import type { Appearance } from "@stripe/stripe-js";

/** Resolves a design token to its current colour, light or dark. Stripe's frames cannot read our tokens. */
function colorOf(token: string, probe: HTMLElement): string {
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

/** Returns the style of Stripe's card fields for the current colour scheme. */
export function cardAppearance(): Appearance {
  const probe = document.createElement("span");
  document.body.appendChild(probe);
  const color = (token: string) => colorOf(token, probe);
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const appearance: Appearance = {
    theme: isDark ? "night" : "stripe",
    disableAnimations: matchMedia("(prefers-reduced-motion: reduce)").matches,
    variables: {
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSizeBase: "16px",
      spacingUnit: "4px",
      borderRadius: "10px",
      colorPrimary: color("--lawn"),
      colorBackground: color("--card"),
      colorText: color("--ink"),
      colorTextSecondary: color("--ink-soft"),
      colorTextPlaceholder: color("--line-strong"),
      colorDanger: color("--danger"),
    },
  };
  probe.remove();
  return appearance;
}
