import { renderToStaticMarkup } from "react-dom/server";

import type { SuburbCard } from "../../contract/suburbs.ts";
import glyphs from "../../data/share-glyphs.json";
import { formatFromPrice } from "../lib/format-money.ts";
import type { ShareCard } from "../site/share-cards.ts";
import { Drawing } from "../site/scenes/scene.tsx";
import { chooseScene } from "./choose-scene.ts";

/** Size of link previews on Facebook, WhatsApp and others, in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

const INK = "#14261a";
const INK_SOFT = "#48594d";
const LEFT = 60;
/** The scene starts here. */
const PICTURE_X = 620;
/** Maximum text width, so that the text does not overlap the scene. */
const MAX_WIDTH = 510;
const LARGEST = 100;
const UNITS_PER_EM = 1000;

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

/** Returns the words and the scene of a suburb's share picture. The price is in whole dollars. */
export const suburbCard = (suburb: SuburbCard): ShareCard => ({
  lead: "Perfect lawn care in",
  title: suburb.name,
  plate: `from ${formatFromPrice(suburb.priceFrom)}`,
  note: `NSW ${suburb.postcode}`,
  scene: chooseScene(suburb),
});

/** Returns a share picture as SVG without text elements. */
export function shareSvg({ lead, title, plate, note = "", scene }: ShareCard): string {
  const { width, height } = SHARE_SIZE;
  const lines = linesOf(title);
  const size = Math.min(LARGEST, MAX_WIDTH / Math.max(...lines.map(widthOf)));
  const plateWidth = plate ? widthOf(plate) * 34 + 44 : 0;
  const bottom = 190 + lines.length * size * 1.04;
  return renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <rect width={width} height={height} fill="#f5f8f0" />
      <svg
        x={PICTURE_X}
        width={width - PICTURE_X}
        height={height}
        viewBox="0 0 640 560"
        preserveAspectRatio="xMidYMax slice"
      >
        <Drawing name={scene} season="jacaranda" />
      </svg>
      <g transform={`translate(${LEFT} 58) scale(1.5)`}>
        <rect width="32" height="32" rx="7" fill="#6fb04f" />
        <path d="M6.5 0h6.3v32H6.5zM19.2 0h6.3v32h-6.3z" fill="#4f8f38" />
        <path d="M0 23h32v2a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#d9dad2" />
        <path d="M10 20V8.5h3.6l5.2 7V8.5h3.2V20h-3.2l-5.5-7.3V20z" fill="#fff" />
      </g>
      <Line text="Naturestrip" x={LEFT + 64} y={93} size={34} fill={INK} />
      <Line text={lead} x={LEFT} y={182} size={38} fill={INK_SOFT} />
      {lines.map((line, index) => (
        <Line key={line} text={line} x={LEFT} y={190 + (index + 0.92) * size * 1.04} size={size} fill={INK} />
      ))}
      {plate && (
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
          <Line text={plate} x={22} y={42} size={34} fill="#ffc83d" />
          <Line text={note} x={plateWidth + 24} y={42} size={34} fill={INK_SOFT} />
        </g>
      )}
    </svg>,
  );
}
