/** Draws places on the plains and in the far west. */
import { Mower } from "./figures.tsx";
import { Bush, Line, Shapes, Sky, type Colours } from "./parts.tsx";

/** The sky and the ground around a homestead, from far to near. */
type Land = {
  sky: string;
  hills: readonly [string, string];
  paddock: Colours;
  near: string;
  shrubs: Colours;
};

/** A homestead with a windmill. */
function Homestead({ sky, hills, paddock, near, shrubs }: Land) {
  const blades = Array.from({ length: 12 }, (_, i) => i * 30).map((turn) => (
    <path key={turn} fill="#e8e4da" d="M-3-10l-4-34h14l-4 34z" transform={`rotate(${turn})`} />
  ));
  return (
    <>
      <Sky colour={sky} x={330} y={300} haze={0.38} />
      <Shapes
        of={[
          [hills[0], "M0 372l40-34h120l26 22h70l30 14h354v40H0z"],
          [hills[1], "M360 380l36-26h150l30 20h64v40H360z"],
          [paddock[0], "M0 384q320-10 640 0v176H0z"],
          [paddock[1], "M0 420q120-12 240 0t260-6 140 8v20q-120-12-260-6t-260 4-120 0z"],
        ]}
      />
      <Line
        colour="#6f6a62"
        width={4}
        d="M92 408l22-138M136 408l-22-138M98 372h32M102 340h24M106 310h16M98 372l28-32M102 340l20-30"
      />
      <g transform="translate(114 262)">
        {blades}
        <path fill="#6f6a62" d="M-6-5h62l14-12v34l-14-12H-6z" />
        <circle r="7" fill="#6f6a62" />
      </g>
      <g transform="translate(16 82) scale(1.25)">
        <Shapes
          of={[
            ["#9b5a40", "M256 76h22v34h-22z"],
            ["#b9c2c1", "M210 150l42-54h140l42 54v6H210z"],
            [
              "#d4dbd9",
              "M252 96h18l-24 54h-20zM292 96h18l-6 54h-22zM334 96h18l12 54h-22zM374 96h18l28 54h-22z",
            ],
            ["#f3e6cc", "M200 184h244v80H200z"],
            ["#00000022", "M200 184h244v14H200z"],
            ["#fff7e4", "M235 204h50v46h-50zM356 204h50v46h-50z"],
            ["#4f6b46", "M303 204h36v60h-36z"],
            ["#a5afae", "M206 154h232l44 34H160z"],
            [
              "#c3cbc9",
              "M222 154h22l-30 34h-26zM276 154h22l-14 34h-26zM330 154h22l10 34h-26zM386 154h20l32 34h-26z",
            ],
            [
              "#fff7e4",
              "M160 186h322v5H160zM168 191h6v73h-6zM228 191h5v73h-5zM286 191h5v73h-5zM350 191h5v73h-5zM408 191h5v73h-5zM468 191h6v73h-6z",
            ],
            ["#d9c8a6", "M160 258h322v8H160z"],
            ["#8fa3a6", "M432 210h50v56h-50z"],
            ["#a9bbbd", "M432 210h16v56h-16z"],
            ["#76898c", "M430 204h54v8h-54zM432 228h50v2h-50zM432 246h50v2h-50z"],
          ]}
        />
      </g>
      <path fill={near} d="M0 474q320-20 640 0v86H0z" />
      <Shapes
        of={[
          ["#7fa34e", "M196 412h338l58 92H108z"],
          [
            "#94b75c",
            "M196 412h40l-62 92h-66zM282 412h42l-26 92h-66zM368 412h42l12 92h-66zM452 412h42l46 92h-62z",
          ],
        ]}
      />
      <path fill="#e6c699" d="M398 412h36l20 92h-70z" />
      <Line colour="#8a7360" width={6} d="M20 446v58M92 446v58M596 446v58M636 446v58M20 446" />
      <path d="M0 458h100M0 476h100M590 458h50M590 476h50" stroke="#8a7360" strokeWidth="2" />
      <Bush x={58} y={424} r={20} colours={shrubs} />
      <Bush x={176} y={420} r={16} colours={shrubs} />
      <Bush x={604} y={426} r={28} colours={shrubs} />
      <Bush x={40} y={548} r={34} colours={shrubs} />
      <Bush x={604} y={552} r={26} colours={shrubs} />
      <Mower x={304} y={486} scale={0.95} />
    </>
  );
}

/** Red earth: the far west. */
export function FarWest() {
  return (
    <Homestead
      sky="#f6d9a8"
      hills={["#d99a6c", "#c67f54"]}
      paddock={["#c9683c", "#b85a32"]}
      near="#d9a06e"
      shrubs={["#8c9c84", "#a8b59c"]}
    />
  );
}

/** Straw-coloured paddocks: the slopes and plains. */
export function Plains() {
  return (
    <Homestead
      sky="#cfe3ec"
      hills={["#a9bd94", "#93ab7c"]}
      paddock={["#e2c784", "#d4b46b"]}
      near="#a9b86a"
      shrubs={["#5f8a54", "#82a870"]}
    />
  );
}
