/*
 * Parts of the drawn scenes, on a canvas of 640 by 560. The horizon is near y 400. A phone shows the lower two thirds,
 * so everything that matters is below y 200.
 */

/** Two colours, such as a leaf in the shade and in the sun. */
export type Colours = readonly [dark: string, light: string];

/** A shape: its colour and its path. */
type Shape = readonly [fill: string, path: string];

const GRASS: Colours = ["#86b858", "#6da347"];
const LEAVES: Colours = ["#4d8148", "#649a58"];

/** Draws shapes in order. */
export function Shapes({ of }: { of: readonly Shape[] }) {
  return of.map(([fill, path]) => <path key={path} fill={fill} d={path} />);
}

/** Draws a line with round ends, such as a branch, a handle or a limb. */
export function Line({ colour, width, d }: { colour: string; width: number; d: string }) {
  return (
    <path
      d={d}
      fill="none"
      stroke={colour}
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  );
}

/** Draws a row of upright bars: pickets, palings, rails or iron lace. */
export function Bars({
  colour,
  d,
  height,
  bar,
  gap,
}: {
  colour: string;
  d: string;
  height: number;
  bar: number;
  gap: number;
}) {
  return <path d={d} fill="none" stroke={colour} strokeWidth={height} strokeDasharray={`${bar} ${gap}`} />;
}

/** Returns the path of an ellipse. */
export function oval(x: number, y: number, rx: number, ry = rx): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0-${rx * 2} 0z`;
}

/** Draws the sky, with a low sun in two rings of haze. In dark mode the moon rises. */
export function Sky({
  colour,
  x = 500,
  y = 262,
  haze = 0.34,
}: {
  colour: string;
  x?: number;
  y?: number;
  haze?: number;
}) {
  return (
    <>
      <path className="scene__sky" fill={colour} d="M0 0h640v560H0z" />
      <path className="scene__haze" fill="#fff" fillOpacity={haze} d={oval(x, y, 250)} />
      <path className="scene__haze" fill="#fff" fillOpacity={haze} d={oval(x, y, 130)} />
      <circle className="scene__sun" fill="#ffd76a" cx={x} cy={y} r="46" />
    </>
  );
}

/**
 * Draws a mown lawn in perspective.
 * @param to where the stripes meet
 */
export function Lawn({
  top = 408,
  to = 320,
  colours: [light, dark] = GRASS,
  stripes = 10,
}: {
  top?: number;
  to?: number;
  colours?: Colours;
  stripes?: number;
}) {
  const width = 1000 / stripes;
  const near = (index: number) => Math.round(index * width - 180);
  const far = (index: number) => Math.round(to + (near(index) - to) * 0.55);
  const path = Array.from({ length: stripes }, (_, index) => index)
    .filter((index) => index % 2 === 0)
    .map((i) => `M${near(i)} 560H${near(i + 1)}L${far(i + 1)} ${top}H${far(i)}z`)
    .join("");
  return (
    <Shapes
      of={[
        [dark, `M0 ${top}h640v${560 - top}H0z`],
        [light, path],
      ]}
    />
  );
}

/** Draws a path to the door, which widens towards the street. */
export function FrontPath({
  x = 320,
  top = 408,
  fill = "#ddd8c8",
}: {
  x?: number;
  top?: number;
  fill?: string;
}) {
  return <path fill={fill} d={`M${x - 19} ${top}h38l36 ${560 - top}h-110z`} />;
}

/** Draws a gum tree. Its foot is at `x`, `y`. */
export function Gum({ x, y, scale = 1 }: { x: number; y: number; scale?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <Line colour="#d9cbb6" width={11} d="M0 0q-6-50 2-90" />
      <Line colour="#c6b59d" width={6} d="M1-84q-20-18-34-46M1-90q20-14 34-50M1-90q2-30-4-62" />
      <Shapes
        of={[
          [
            "#6f9a72",
            oval(-40, -140, 38, 25) + oval(38, -148, 40, 27) + oval(-4, -172, 42, 28) + oval(6, -122, 30, 15),
          ],
          ["#93b78c", oval(-46, -150, 24, 12) + oval(32, -160, 26, 13) + oval(-8, -184, 28, 13)],
        ]}
      />
    </g>
  );
}

/** Draws a round shrub or a clipped hedge ball. */
export function Bush({
  x,
  y,
  r,
  colours: [dark, light] = LEAVES,
}: {
  x: number;
  y: number;
  r: number;
  colours?: Colours;
}) {
  return (
    <Shapes
      of={[
        [dark, `M${x - r} ${y}a${r} ${r} 0 0 1 ${r * 2} 0z`],
        [
          light,
          `M${x - r * 0.7} ${y - r * 0.45}a${r * 0.75} ${r * 0.6} 0 0 1 ${r * 1.1}-${r * 0.3}q-${r * 0.6} 0-${r * 1.1} ${r * 0.3}z`,
        ],
      ]}
    />
  );
}

/** Draws tufts of long grass from `from` to `to`. Their feet are at `y`. */
export function Tufts({
  from,
  to,
  y,
  height = 26,
  fill = "#5b9440",
}: {
  from: number;
  to: number;
  y: number;
  height?: number;
  fill?: string;
}) {
  const count = Math.round((to - from) / 13);
  const d = Array.from({ length: count }, (_, i) => {
    const tall = height * (0.7 + ((i * 7) % 5) / 8);
    return `M${from + i * 13} ${y}q${i % 2 ? 9 : 1}-${Math.round(tall * 0.6)} ${i % 2 ? 4 : 10}-${Math.round(tall)} 3 ${Math.round(tall * 0.4)} 7 ${Math.round(tall)}z`;
  }).join("");
  return <path fill={fill} d={d} />;
}

/** Draws a street tree in the colours of the season. Its foot is at `x`, `y`. */
export function StreetTree({
  x,
  y,
  scale = 1,
  colours,
}: {
  x: number;
  y: number;
  scale?: number;
  colours: Colours | null;
}) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <Line colour="#7b6a58" width={13} d="M0 0q6-46-2-92" />
      <Line colour="#7b6a58" width={7} d="M-1-84q-22-20-38-54M-1-90q24-20 34-62M-2-90l4-64" />
      {colours ? (
        <Shapes
          of={[
            [
              colours[0],
              oval(-52, -150, 46, 36) +
                oval(50, -156, 48, 38) +
                oval(-10, -192, 58, 40) +
                oval(0, -132, 56, 26),
            ],
            [colours[1], oval(-60, -164, 28, 15) + oval(44, -174, 32, 16) + oval(-18, -210, 36, 17)],
            [
              colours[1],
              [-70, -44, -22, 12, 34, 62, 84]
                .map((at, index) => oval(at, 6 + (index % 3) * 9, 4, 2))
                .join(""),
            ],
          ]}
        />
      ) : (
        <Line
          colour="#7b6a58"
          width={4}
          d="M-26-118q-28-20-30-54M-34-130q2-30-8-56M24-124q24-18 30-56M30-146q-2-30 8-58M0-140q-14-26-10-66M1-130q14-30 12-76"
        />
      )}
    </g>
  );
}

/** A paling fence across the picture, and what is behind it. */
export function BackFence({ top = 330, base = 412 }: { top?: number; base?: number }) {
  return (
    <>
      <path fill="#8a745c" d={`M0 ${top + 10}h640v${base - top - 10}H0z`} />
      <Bars colour="#a98d70" d={`M0 ${(top + base) / 2}h640`} height={base - top} bar={22} gap={2} />
      <path fill="#00000018" d={`M0 ${base - 12}h640v12H0z`} />
    </>
  );
}
