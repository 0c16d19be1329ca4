/** Drawings of gardens, as SVG, that the demo shows as photos. The same garden exists before and after the work. */

const WIDTH = 1200;
const HEIGHT = 900;
/** Where the lawn begins, from the top. */
const LAWN_TOP = 470;

/** Returns numbers from 0 to 1, the same ones for the same seed. */
function seededNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

const SKIES = [
  ["#7fb4dd", "#dcebf2"],
  ["#9cc4d8", "#f3e9d6"],
  ["#8aa9c4", "#d5dde2"],
] as const;
const WALLS = ["#c9b8a0", "#b7654a", "#d8d6cc", "#8f9b94"] as const;
const LEAVES = ["#2f5a26", "#3d6d2f", "#4f823a", "#62953f"] as const;
const GRASS = ["#3f7a2a", "#4f8d32", "#63a13b", "#7ab548"] as const;
const DRY_GRASS = ["#6f7f35", "#8b9442", "#a7a452", "#55752f"] as const;

type Box = readonly [x: number, y: number, width: number, height: number];

/** Draws leaves as dots of four greens within a box. @param isRound whether they fill only the ellipse in it */
function drawLeaves(
  random: () => number,
  [x, y, width, height]: Box,
  count: number,
  r: number,
  isRound = false,
) {
  return Array.from({ length: count }, () => {
    const colour = LEAVES[Math.floor(random() * LEAVES.length)];
    const [across, down] = [random(), random()];
    const left = isRound ? 0.5 + (across - 0.5) * Math.sqrt(1 - (2 * down - 1) ** 2) : across;
    const [cx, cy] = [x + left * width, y + down * height];
    return `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(r * (0.6 + random()))}" ry="${round(r * (0.4 + random() * 0.6))}" fill="${colour}"/>`;
  }).join("");
}

/** Draws blades of grass over the lawn, taller towards the viewer. */
function drawBlades(random: () => number, colours: readonly string[], count: number, length: number) {
  const paths = colours.map(() => "");
  const rows = Array.from({ length: count }, () => random() ** 1.4).toSorted((a, b) => a - b);
  for (const depth of rows) {
    const x = random() * WIDTH;
    const y = LAWN_TOP + depth * (HEIGHT - LAWN_TOP + 30);
    const tall = length * (0.25 + depth) * (0.5 + random());
    const lean = (random() - 0.5) * tall * 0.9;
    const colour = Math.floor(random() * colours.length);
    paths[colour] +=
      `M${round(x)} ${round(y)}q${round(lean / 4)} ${round(-tall / 2)} ${round(lean)} ${round(-tall)}`;
  }
  const width = length > 20 ? 3 : 2;
  return paths
    .map(
      (path, i) =>
        `<path d="${path}" fill="none" stroke="${colours[i]}" stroke-width="${width}" stroke-linecap="round"/>`,
    )
    .join("");
}

/** Draws the light and dark stripes of a mower, which run away from the viewer. */
function drawStripes(): string {
  const stripes = 9;
  const at = (i: number, spread: number) => round(WIDTH / 2 + (i - stripes / 2) * spread);
  return Array.from({ length: stripes }, (_, i) =>
    i % 2 === 0
      ? `<path d="M${at(i, 105)} ${LAWN_TOP}L${at(i + 1, 105)} ${LAWN_TOP}L${at(i + 1, 290)} ${HEIGHT}L${at(i, 290)} ${HEIGHT}z" fill="#8cc653" opacity=".45"/>`
      : "",
  ).join("");
}

function drawHouse(random: () => number): string {
  const wall = WALLS[Math.floor(random() * WALLS.length)];
  const left = 60 + random() * 420;
  const boards = Array.from({ length: 11 }, (_, i) => `M${round(left)} ${210 + i * 22}h560`).join("");
  return `<path d="M${round(left - 50)} 200L${round(left + 90)} 80h380L${round(left + 610)} 200z" fill="#5d5f63"/>
<path d="M${round(left)} 198h560v260h-560z" fill="${wall}"/><path d="${boards}" stroke="#000" stroke-opacity=".13" stroke-width="3"/>
<path d="M${round(left - 50)} 198h660v10h-660z" fill="#eeece6"/>
<path d="M${round(left + 70)} 240h150v110h-150zM${round(left + 340)} 240h150v110h-150z" fill="#34444e" stroke="#f2f0ea" stroke-width="10"/>
<path d="M${round(left + 145)} 240v110M${round(left + 415)} 240v110" stroke="#f2f0ea" stroke-width="6"/>`;
}

function drawFence(random: () => number): string {
  const planks = Array.from({ length: 31 }, (_, i) => {
    const shade = Math.round(105 + random() * 35);
    return `<path d="M${i * 40} ${round(262 + random() * 8)}h37v210h-37z" fill="rgb(${shade + 28} ${shade + 4} ${shade - 18})"/>`;
  });
  return `${planks.join("")}<path d="M0 300h1240v10h-1240zM0 420h1240v10h-1240z" fill="#6d5744" opacity=".5"/>`;
}

function drawHedge(random: () => number, isTidy: boolean): string {
  const top = isTidy ? 352 : 300;
  const body = `<path d="M-20 ${LAWN_TOP + 18}V372q0-20 24-20h1192q24 0 24 20v${LAWN_TOP - 354}z" fill="#294f22"/>`;
  const leaves = drawLeaves(random, [-10, 356, 1220, LAWN_TOP - 350], 900, 11);
  if (isTidy) return body + leaves;
  const bulges = Array.from({ length: 14 }, () => {
    const [x, tall] = [random() * WIDTH, 40 + random() * 70];
    return drawLeaves(random, [x - 50, top + 70 - tall, 110, tall + 40], 60, 11);
  });
  return body + leaves + bulges.join("");
}

/** Returns where a row of pavers begins, from the top. Rows get longer towards the viewer. */
const rowTop = (row: number) => LAWN_TOP + (HEIGHT - LAWN_TOP) * (row / 9) ** 1.5;

/** Draws a path of pavers along the right side. */
function drawPath(random: () => number): string {
  const rows = Array.from({ length: 9 }, (_, i) => {
    const [y, next] = [rowTop(i), rowTop(i + 1)];
    const side = (height: number, edge: number) =>
      round(900 + edge * 60 + (height - LAWN_TOP) * (edge * 0.55 + 0.12));
    const shade = Math.round(172 + random() * 22);
    return `<path d="M${side(y, 0)} ${round(y + 2)}L${side(y, 1)} ${round(y + 2)}L${side(next, 1)} ${round(next - 2)}L${side(next, 0)} ${round(next - 2)}z" fill="rgb(${shade} ${shade - 6} ${shade - 16})"/>`;
  });
  return rows.join("");
}

/**
 * Returns a drawing of a garden with a lawn and a hedge, before a house or a fence.
 * @param seed which garden
 * @param isTidy whether the work is done
 */
export function drawGarden(seed: number, isTidy: boolean): string {
  const random = seededNumbers(seed);
  const [high, low] = SKIES[seed % SKIES.length]!;
  const backdrop = seed % 2 === 0 ? drawHouse(random) : drawFence(random);
  const hasPath = seed % 3 !== 1;
  const sunX = 200 + random() * 800;
  const lawn = isTidy ? ["#5f9f3a", "#3c7428"] : ["#84903f", "#4d6a2a"];
  const blades = isTidy
    ? drawBlades(random, GRASS, 1800, 10)
    : drawBlades(random, [...DRY_GRASS, ...GRASS], 1900, 66);
  const flowers = Array.from({ length: isTidy ? 0 : 46 }, () => {
    const depth = random();
    const [x, y] = [random() * WIDTH, LAWN_TOP + depth * 400];
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(3 + depth * 5)}" fill="${random() > 0.4 ? "#f2d13d" : "#f4f1e4"}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="800" height="600">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${high}"/><stop offset="1" stop-color="${low}"/></linearGradient>
<linearGradient id="lawn" x2="0" y2="1"><stop stop-color="${lawn[0]}"/><stop offset="1" stop-color="${lawn[1]}"/></linearGradient>
<radialGradient id="light" cx="${round(sunX / WIDTH)}" cy=".2" r="1.1"><stop stop-color="#fff3cf" stop-opacity=".34"/><stop offset=".55" stop-color="#fff3cf" stop-opacity="0"/><stop offset="1" stop-color="#0a1a10" stop-opacity=".42"/></radialGradient></defs>
<path d="M0 0h1200v500H0z" fill="url(#sky)"/>
<path d="M0 ${LAWN_TOP}V320q300-50 600-20t600-15v190z" fill="#5d7f5a"/>
${drawLeaves(random, [-60, 120, 360, 300], 280, 32, true)}${drawLeaves(random, [840, 80, 420, 340], 340, 32, true)}
${backdrop}${seed % 4 === 3 ? "" : drawHedge(random, isTidy)}
<path d="M0 ${LAWN_TOP}h1200v430H0z" fill="url(#lawn)"/>${isTidy ? drawStripes() : ""}
${isTidy ? blades : ""}${hasPath ? drawPath(random) : ""}${isTidy ? "" : blades}${flowers.join("")}
<path d="M0 0h1200v900H0z" fill="url(#light)"/></svg>`;
}

/** Returns a drawing of a business's logo: a leaf. */
export function drawLogo([ground, leaf]: readonly [ground: string, leaf: string]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480"><path d="M0 0h480v480H0z" fill="${ground}"/>
<path d="M112 368C86 190 190 100 384 96c6 196-84 300-246 286z" fill="${leaf}"/>
<path d="M96 400C150 290 220 220 318 166" fill="none" stroke="${ground}" stroke-width="20" stroke-linecap="round"/></svg>`;
}
