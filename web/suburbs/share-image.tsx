import { renderToStaticMarkup } from "react-dom/server";

import glyphs from "../../data/share-glyphs.json";
import { formatFromPrice } from "../lib/format-money.ts";
import { Street } from "../site/street-scene.tsx";

/** Size of link previews on Facebook, WhatsApp and others, in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** The site's light colours as values, because the renderer does not support custom properties. */
const PALETTE = `
.art-sun{fill:#ffc83d}.art-hill{fill:#dcebcf}.art-trunk{fill:#7b6a58}.art-gum{fill:#9db894}
.art-roof{fill:#c4573a}.art-roof-2{fill:#a8452b}.art-wall{fill:#fbf3e2}.art-tin{fill:#cdd8d6}
.art-post{fill:#fff}.art-window{fill:#4d6f7d}.art-door{fill:#1f5c2a}.art-fence{fill:#fff}
.art-pickets{stroke:#fff;stroke-width:26;stroke-dasharray:6 8}.art-hedge{fill:#3f7a3c}
.art-grass-1{fill:#6fb04f}.art-grass-2{fill:#5c9c42}.art-path{fill:#d9dad2}.art-jacaranda{fill:#8f7fd0}
.art-jacaranda-2{fill:#ab9ee2}.art-petals{stroke:#c6bcf0;stroke-width:6;stroke-linecap:round}
.art-handle{fill:none;stroke:#33413a;stroke-width:4;stroke-linecap:round}.art-mower{fill:#d8342b}
.art-wheel{fill:#26302a}`;

const INK = "#14261a";
const INK_SOFT = "#48594d";
const LEFT = 60;
/** Maximum text width, so that the text does not overlap the jacaranda. */
const MAX_WIDTH = 545;
const LARGEST = 100;
const UNITS_PER_EM = 1000;

/** The mown strip between footpath and kerb. */
const STRIP = Array.from({ length: 16 }, (_, index) => `M${index * 80} 595h40l-6 30h-40z`).join("");

type GlyphName = keyof typeof glyphs;
const getGlyphs = (text: string) =>
  [...text].filter((glyphName): glyphName is GlyphName => glyphName in glyphs);

/** Returns a text's width at font size 1. */
function widthOf(text: string): number {
  return getGlyphs(text).reduce((width, glyphName) => width + glyphs[glyphName].advance, 0) / UNITS_PER_EM;
}

/** Draws a line of text as outlines, with its baseline at `y`. */
function Line({
  text,
  x,
  y,
  size,
  fill,
}: {
  text: string;
  x: number;
  y: number;
  size: number;
  fill: string;
}) {
  const glyphNames = getGlyphs(text);
  const starts = glyphNames.map((_, index) =>
    glyphNames.slice(0, index).reduce((at, glyphName) => at + glyphs[glyphName].advance, 0),
  );
  return (
    <g transform={`translate(${x} ${y}) scale(${size / UNITS_PER_EM})`} fill={fill}>
      {glyphNames.map((glyphName, index) => (
        <path key={starts[index]} transform={`translate(${starts[index]})`} d={glyphs[glyphName].path} />
      ))}
    </g>
  );
}

/** Splits a name into two lines if a single line would be too small to read. */
function linesOf(name: string): string[] {
  if (widthOf(name) * LARGEST <= MAX_WIDTH) return [name];
  const words = name.split(" ");
  const splits = words
    .slice(1)
    .map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  const widest = (lines: string[]) => Math.max(...lines.map(widthOf));
  return splits.toSorted((a, b) => widest(a) - widest(b))[0] ?? [name];
}

/**
 * Returns a suburb's share picture as SVG without text elements.
 * @param suburb as on its page; the price is in whole dollars
 */
export function shareSvg(suburb: { name: string; postcode: string; priceFrom: number }): string {
  const { width, height } = SHARE_SIZE;
  const lines = linesOf(suburb.name);
  const size = Math.min(LARGEST, MAX_WIDTH / Math.max(...lines.map(widthOf)));
  const price = `from ${formatFromPrice(suburb.priceFrom)}`;
  const plateWidth = widthOf(price) * 34 + 44;
  const bottom = 190 + lines.length * size * 1.04;
  return renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <style>{PALETTE}</style>
      <defs>
        <linearGradient id="sky" x2="0" y2="1">
          <stop stopColor="#e1eef6" />
          <stop offset="0.8" stopColor="#f5f8f0" />
        </linearGradient>
      </defs>
      <rect width={width} height={height} fill="url(#sky)" />
      <g transform="translate(622 260) scale(0.86)">
        <Street />
      </g>
      <rect y="569" width={width} height="61" fill="#5c9c42" />
      <path d={STRIP} fill="#6fb04f" />
      <rect y="569" width={width} height="9" fill="#f5f8f0" />
      <rect y="578" width={width} height="17" fill="#d9dad2" />
      <rect y="622" width={width} height="8" fill="#b5b8ad" />
      <g transform={`translate(${LEFT} 58) scale(1.5)`}>
        <rect width="32" height="32" rx="7" fill="#6fb04f" />
        <path d="M6.5 0h6.3v32H6.5zM19.2 0h6.3v32h-6.3z" fill="#4f8f38" />
        <path d="M0 23h32v2a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#d9dad2" />
        <path d="M10 20V8.5h3.6l5.2 7V8.5h3.2V20h-3.2l-5.5-7.3V20z" fill="#fff" />
      </g>
      <Line text="Naturestrip" x={LEFT + 64} y={93} size={34} fill={INK} />
      <Line text="Perfect lawn care in" x={LEFT} y={182} size={38} fill={INK_SOFT} />
      {lines.map((line, index) => (
        <Line key={line} text={line} x={LEFT} y={190 + (index + 0.92) * size * 1.04} size={size} fill={INK} />
      ))}
      <g transform={`translate(${LEFT} ${bottom + 22})`}>
        <rect width={plateWidth} height="60" rx="8" fill="#123020" />
        <rect
          x="4"
          y="4"
          width={plateWidth - 8}
          height="52"
          rx="5"
          fill="none"
          stroke="#ffc83d"
          strokeWidth="2.5"
        />
        <Line text={price} x={22} y={42} size={34} fill="#ffc83d" />
        <Line text={`NSW ${suburb.postcode}`} x={plateWidth + 24} y={42} size={34} fill={INK_SOFT} />
      </g>
    </svg>,
  );
}
