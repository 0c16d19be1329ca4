import type { Appearance } from "@stripe/stripe-js";

/** A token's colour as the page shows it now, light or dark: frames know none of our tokens. */
function colorOf(token: string, probe: HTMLElement): string {
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

/** The look of the card fields: ours, in the light or dark of this moment. */
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
