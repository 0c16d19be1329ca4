/** Draws the people and things in front of the scenes. */
import { Line, oval, Shapes } from "./parts.tsx";

/** Draws a lawn mower that faces right. Its wheels stand on `y`. */
export function Mower({ x, y, scale = 1 }: { x: number; y: number; scale?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <Line colour="#33413a" width={4} d="M-66-66l12-4L-8-22" />
      <Shapes
        of={[
          ["#3a463f", "M-52-44l34 6 6 26-32 4q-16-16-8-36z"],
          ["#d5402f", "M-24-12q2-18 18-20h38q22 2 24 20v6h-80z"],
          ["#b23224", "M-24-12h80v6h-80z"],
          ["#2b332f", "M4-46h22q6 0 6 6v8H-2v-8q0-6 6-6z"],
          ["#8b968f", "M8-52h14v6H8z"],
          ["#262e2a", oval(-12, -9, 11) + oval(46, -9, 11)],
          ["#c9cfc9", oval(-12, -9, 4.5) + oval(46, -9, 4.5)],
        ]}
      />
    </g>
  );
}

/**
 * Draws a person in a wide hat, who faces right. The feet are at `x`, `y`.
 * @param hands where the hands are, from the feet
 */
export function Person({
  x,
  y,
  hands: [handX, handY],
  shirt = "#2f6f8f",
  scale = 1.35,
}: {
  x: number;
  y: number;
  hands: readonly [number, number];
  shirt?: string;
  scale?: number;
}) {
  const elbow = `${Math.round(handX / 2 - 2)} ${Math.round((handY - 104) / 2 + 14)}`;
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <Line colour="#b67c54" width={10} d="M-12-38l-10 32M10-38l8 32" />
      <Line colour="#3a4a63" width={18} d="M-2-68l-9 28M2-68l8 28" />
      <Line colour="#4a3a2e" width={10} d="M-23-4h9M17-4h10" />
      <Line colour={shirt} width={34} d="M0-80l6-28" />
      <Line colour="#c58a60" width={9} d={`M10-108L${elbow}L${handX} ${handY}`} />
      <Line colour={shirt} width={15} d={`M9-108L${elbow}`} />
      <Shapes
        of={[
          ["#b67c54", "M6-134h12v14H6z"],
          ["#c58a60", oval(13, -140, 12, 13)],
          ["#b08d57", `${oval(13, -148, 25, 5)}M0-149q0-19 13-18 13-1 13 18z`],
          ["#7d5f38", "M0-153h26v5H0z"],
        ]}
      />
    </g>
  );
}

/** Draws a ute that faces right. Its wheels stand on `y`. */
export function Ute({ x, y, colour = "#f6f4ec" }: { x: number; y: number; colour?: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Shapes
        of={[
          ["#5d666b", "M-150-92h134v10h-134zM-150-92h8v46h-8zM-86-92h6v46h-6zM-24-92h8v46h-8z"],
          [colour, "M-156-58H-8l10-58q3-12 16-12h56q12 0 20 12l26 44 34 8q12 4 12 16v28h-322z"],
          ["#2f4650", "M18-116h24v44H8zM50-116h22q8 0 12 8l20 36H50z"],
          ["#00000018", "M-156-34h322v14h-322z"],
          ["#3a4247", "M-156-20h322v8h-322zM158-44h10v14h-10z"],
          ["#ffe9a8", "M146-56h18l4 12h-22z"],
          ["#c7402f", "M-158-52h8v16h-8z"],
          ["#262e2a", `${oval(-96, -18, 29)}${oval(106, -18, 29)}`],
          ["#b9c0bd", `${oval(-96, -18, 13)}${oval(106, -18, 13)}`],
          ["#3a4247", "M58-62h14v4H58z"],
        ]}
      />
    </g>
  );
}

/** Draws a letterbox. Its post stands on `y`. */
export function Letterbox({ x, y, fill = "#1f5c2a" }: { x: number; y: number; fill?: string }) {
  return (
    <Shapes
      of={[
        ["#f4f1e6", `M${x - 4} ${y - 50}h8v50h-8z`],
        [fill, `M${x - 22} ${y - 72}q22-18 44 0v28h-44z`],
        ["#f4f1e6", `M${x - 13} ${y - 64}h26v4h-26z`],
      ]}
    />
  );
}
