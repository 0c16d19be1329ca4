import { renderToStaticMarkup } from "react-dom/server";

import { serviceName } from "../../contract/catalogue.ts";
import type { ProviderProfile } from "../../contract/profiles.ts";
import { joinServices } from "../../contract/service-list.ts";
import type { SuburbCard } from "../../contract/suburbs.ts";
import glyphs from "../../data/share-glyphs.json";
import { formatFromPrice } from "../lib/format-money.ts";
import { formatMean } from "../../contract/reviews.ts";
import { SCENE_NAMES, type SceneName } from "../site/scenes/scene.tsx";
import type { ShareCard } from "../site/share-cards.ts";
import { chooseScene } from "../suburbs/choose-scene.ts";

/** Size of link previews on Facebook, WhatsApp and others, in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

const INK = "#14261a";
const INK_SOFT = "#48594d";
const LEFT = 60;
/** The scene starts here. */
const PICTURE_X = 620;
/** How far to move the visible part of a scene to the right, so that nothing important is cut off, in its units. */
const SHIFTS: Partial<Record<SceneName, number>> = {
  suburb: 22,
  terraces: -8,
  coast: 14,
  strata: -8,
  garden_cleanup: 20,
  green_waste_removal: 36,
  pressure_washing: -24,
};
/** Maximum text width, so that the text does not overlap the scene. */
const MAX_WIDTH = 510;
/**
 * Font sizes of a title. It is on one line if it fits there at that size. It has more than two lines only below the size
 * for two, and a word continues on the next line only below the size for whole words.
 */
const TITLE_SIZES = { largest: 100, oneLine: 80, twoLines: 64, wholeWords: 40 } as const;
/** Heights in the title's font size: of a capital letter, of a line, and of the part below the line. */
const CAPITAL = 0.69;
const LINE_HEIGHT = 1.04;
const DESCENDER = 0.22;
/** Where the words may stand: below the logo, down to the lower margin. */
const TOP = 152;
const BOTTOM = 572;
/** Size of the line above the title, and the heights of that line and of the space below it. */
const LEAD = { size: 38, height: 28, space: 30 } as const;
const DETAIL = { size: 30, line: 40, space: 14, maxLines: 2 } as const;
const PLATE = { size: 34, height: 60, padding: 22, space: 22 } as const;
const UNITS_PER_EM = 1000;

/** Accents on a capital or a tall letter stand this much higher, in units. */
const ACCENT_RAISE = 155;
/**
 * The horn of Vietnamese letters, how far it reaches over its letter, and the space after it, in units. Accents with
 * lower codes stand above their letter, and those with higher codes below.
 */
const HORN = "\u031B";
const HORN_OVERLAP = 120;
const HORN_SPACE = 80;

type GlyphName = keyof typeof glyphs;
const isGlyph = (character: string): character is GlyphName => character in glyphs;

/**
 * Returns the part of a text that we can draw, with accents separate from their letters. Emoji and letters of other
 * scripts are left out.
 */
export function toDrawable(text: string): string {
  const characters = text.normalize("NFKD").replaceAll(/\s/g, " ").replaceAll("\u2044", "/");
  return (
    [...characters]
      .filter(isGlyph)
      .join("")
      // More accents on a letter would cover the lines above.
      .replaceAll(/(\p{M}{2})\p{M}+/gu, "$1")
      .replaceAll(/i(?=[\u0300-\u0315])/g, "ı")
      .replaceAll(/ {2,}/g, " ")
      .trim()
  );
}

/** Returns the outlines of a drawable text with their places, and its width, in units. */
function layOutLine(text: string) {
  const placed: { path: string; x: number; y: number }[] = [];
  let width = 0;
  let letter = { x: 0, advance: 0, top: 0 };
  for (const character of [...text].filter(isGlyph)) {
    const { advance, path } = glyphs[character];
    if (/\p{M}/u.test(character)) {
      const x =
        letter.x + (character === HORN ? letter.advance - HORN_OVERLAP : (letter.advance - advance) / 2);
      placed.push({ path, x, y: character > HORN ? 0 : -letter.top });
      if (character === HORN) width += HORN_SPACE;
      // A second accent stands above the first.
      if (character < HORN) letter.top += ACCENT_RAISE;
    } else {
      placed.push({ path, x: width, y: 0 });
      letter = { x: width, advance, top: /[\p{Lu}bdfhklt]/u.test(character) ? ACCENT_RAISE : 0 };
      width += advance;
    }
  }
  return { placed, width };
}

/** Returns a drawable text's width at font size 1. */
const widthOf = (text: string) => layOutLine(text).width / UNITS_PER_EM;

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
  return (
    <g transform={`translate(${x} ${y}) scale(${size / UNITS_PER_EM})`} fill={fill}>
      {layOutLine(text).placed.map((outline) => {
        const place = `translate(${outline.x} ${outline.y})`;
        return <path key={place} transform={place} d={outline.path} />;
      })}
    </g>
  );
}

/**
 * Splits a text into as few lines as fit into a width. Breaks a word that is wider than a line.
 * @param maxWidth at font size 1
 */
function wrap(text: string, maxWidth: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer) <= maxWidth) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    for (const letter of word.match(/.\p{M}*/gu) ?? []) {
      if (line && widthOf(line + letter) > maxWidth) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  return [...lines, line];
}

/** Returns the width of a text's longest word at font size 1. */
const longestWord = (text: string) => Math.max(...text.split(" ").map(widthOf));

/** Splits a text of a font size into as few lines as fit, about equally wide. */
function wrapEvenly(text: string, size: number): string[] {
  let lines = wrap(text, MAX_WIDTH / size);
  for (let width = MAX_WIDTH; width >= longestWord(text) * size; width -= 10) {
    const narrower = wrap(text, width / size);
    if (narrower.length > lines.length) break;
    lines = narrower;
  }
  return lines;
}

/** Returns the height of a title's lines, without the space below the last. */
const heightOf = (lines: number, size: number) => (CAPITAL + (lines - 1) * LINE_HEIGHT + DESCENDER) * size;

/** Returns a title's lines and the largest font size at which they fit. */
function fitTitle(title: string, maxHeight: number): { lines: string[]; size: number } {
  const onOneLine = MAX_WIDTH / widthOf(title);
  if (onOneLine >= TITLE_SIZES.oneLine)
    return { lines: [title], size: Math.min(TITLE_SIZES.largest, onOneLine) };
  const fits = (size: number) => {
    const lines = wrap(title, MAX_WIDTH / size).length;
    if (lines > 2 && size >= TITLE_SIZES.twoLines) return false;
    if (longestWord(title) * size > MAX_WIDTH && size >= TITLE_SIZES.wholeWords) return false;
    return heightOf(lines, size) <= maxHeight;
  };
  let size: number = TITLE_SIZES.largest;
  while (!fits(size)) size -= 1;
  return { lines: wrapEvenly(title, size), size };
}

/** Returns the words and the scene of a suburb's share picture. The price is in whole dollars. */
export const suburbCard = (suburb: SuburbCard): ShareCard => ({
  lead: "Perfect lawn care in",
  title: suburb.name,
  plate: `from ${formatFromPrice(suburb.priceFrom)}`,
  note: `NSW ${suburb.postcode}`,
  scene: chooseScene(suburb),
});

/** Returns a list of services that fits into the picture: all of them, or the first ones and how many more. */
function listServices(services: readonly string[]): string {
  const names = services.map((id, index) => (index === 0 ? serviceName(id) : serviceName(id).toLowerCase()));
  const lists = names.map((_, more) =>
    more === 0 ? joinServices(names) : `${names.slice(0, -more).join(", ")} and ${more} more`,
  );
  return lists.find((list) => wrap(list, MAX_WIDTH / DETAIL.size).length <= DETAIL.maxLines) ?? "";
}

const isScene = (name: string): name is SceneName => (SCENE_NAMES as readonly string[]).includes(name);

/** Returns the words and the scene of the share picture of a business. It shows a rating only if its page does. */
export const providerCard = ({ name, suburb, services, reviews }: ProviderProfile): ShareCard => ({
  lead: suburb ? `Based in ${suburb.name}` : "In New South Wales",
  title: toDrawable(name) ? name : "Lawn and garden care",
  detail: listServices(services),
  plate: reviews.mean === null ? undefined : `★ ${formatMean(reviews)}`,
  scene: services.find(isScene) ?? "suburb",
});

const SCENES = import.meta.glob<string>("../site/scenes/*.svg", {
  eager: true,
  query: "?raw",
  import: "default",
});

/** Returns a scene's drawing by day, in spring. The picture has no styles. */
const drawScene = (name: SceneName) =>
  SCENES[`../site/scenes/${name}.svg`]!.replace(/<style>.*?<\/style>/s, "");

/** Returns a share picture as SVG without text elements. */
export function shareSvg(card: ShareCard): string {
  const { scene } = card;
  const [lead, title, plate, note, detail] = [
    card.lead,
    card.title,
    card.plate ?? "",
    card.note ?? "",
    card.detail ?? "",
  ].map(toDrawable) as [string, string, string, string, string];
  const { width, height } = SHARE_SIZE;
  const details = detail ? wrapEvenly(detail, DETAIL.size) : [];
  const detailHeight = detail ? details.length * DETAIL.line + DETAIL.space : 0;
  const plateHeight = plate ? PLATE.height + PLATE.space : 0;
  const maxTitleHeight = BOTTOM - TOP - LEAD.height - LEAD.space - detailHeight - plateHeight;
  const { lines, size } = fitTitle(title, maxTitleHeight);
  const titleHeight = heightOf(lines.length, size);
  // In the middle of the free height.
  const leadY = TOP + LEAD.height + (maxTitleHeight - titleHeight) / 2;
  const titleY = leadY + LEAD.space;
  const detailY = titleY + titleHeight + DETAIL.space;
  const plateY = titleY + titleHeight + detailHeight + PLATE.space;
  const plateSize = Math.min(PLATE.size, (MAX_WIDTH - 2 * PLATE.padding) / widthOf(plate));
  const plateWidth = widthOf(plate) * plateSize + 2 * PLATE.padding;
  return renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <rect width={width} height={height} fill="#f5f8f0" />
      <svg
        x={PICTURE_X}
        width={width - PICTURE_X}
        height={height}
        viewBox={`${SHIFTS[scene] ?? 0} 0 640 560`}
        preserveAspectRatio="xMidYMax slice"
        dangerouslySetInnerHTML={{ __html: drawScene(scene) }}
      />
      <g transform={`translate(${LEFT} 58) scale(1.5)`}>
        <rect width="32" height="32" rx="7" fill="#6fb04f" />
        <path d="M6.5 0h6.3v32H6.5zM19.2 0h6.3v32h-6.3z" fill="#4f8f38" />
        <path d="M0 23h32v2a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#d9dad2" />
        <path d="M10 20V8.5h3.6l5.2 7V8.5h3.2V20h-3.2l-5.5-7.3V20z" fill="#fff" />
      </g>
      <Line text="Naturestrip" x={LEFT + 64} y={93} size={34} fill={INK} />
      <Line
        text={lead}
        x={LEFT}
        y={leadY}
        size={Math.min(LEAD.size, MAX_WIDTH / widthOf(lead))}
        fill={INK_SOFT}
      />
      {lines.map((line, index) => {
        const y = titleY + (CAPITAL + index * LINE_HEIGHT) * size;
        return <Line key={y} text={line} x={LEFT} y={y} size={size} fill={INK} />;
      })}
      {details.map((line, index) => {
        const y = detailY + index * DETAIL.line + DETAIL.size;
        return <Line key={y} text={line} x={LEFT} y={y} size={DETAIL.size} fill={INK_SOFT} />;
      })}
      {plate && (
        <g transform={`translate(${LEFT} ${plateY})`}>
          <rect width={plateWidth} height={PLATE.height} rx="8" fill="#123020" />
          <rect
            x="4"
            y="4"
            width={plateWidth - 8}
            height={PLATE.height - 8}
            rx="5"
            fill="none"
            stroke="#ffc83d"
            strokeWidth="2.5"
          />
          <Line text={plate} x={PLATE.padding} y={30 + plateSize * 0.35} size={plateSize} fill="#ffc83d" />
          <Line text={note} x={plateWidth + 24} y={42} size={34} fill={INK_SOFT} />
        </g>
      )}
    </svg>,
  );
}
