/** Draws places in town. */
import { Letterbox, Mower } from "./figures.tsx";
import {
  Bars,
  Bush,
  FrontPath,
  Gum,
  Lawn,
  Line,
  oval,
  Shapes,
  Sky,
  StreetTree,
  type Colours,
} from "./parts.tsx";

/** A Federation bungalow with a verandah: the suburbs. */
export function Suburb({ tree }: { tree: Colours | null }) {
  return (
    <>
      <Sky colour="#cfe6ea" x={528} />
      <Shapes
        of={[
          ["#b7d3bd", "M0 352q90-40 200-22t180-10 260 4v90H0z"],
          [
            "#8fb48e",
            "M0 384q20-22 46-10 24-26 56-8 30-20 60 4 40-10 60 6h200q20-24 52-10 26-26 60-6 40-22 66 0 20-14 40-2v70H0z",
          ],
        ]}
      />
      <Gum x={580} y={412} scale={1.05} />
      <Shapes
        of={[
          ["#8c4a34", "M278 176h26v56h-26z"],
          ["#c9593b", "M140 290l88-86h196l88 86z"],
          ["#b24a2e", "M424 204l88 86H380l22-42z"],
          ["#fbf1dd", "M168 288h316v124H168z"],
          ["#d9c9a8", "M168 288h316v16H168z"],
          ["#c9593b", "M352 292l66-70 66 70z"],
          ["#fbf1dd", "M372 292l46-50 46 50z"],
          ["#8c4a34", "M352 292l66-76 66 76h-12l-54-60-54 60z"],
          ["#dfe5e1", "M150 318h226l18 22H136z"],
          ["#b9c3bf", "M136 340h258v6H136z"],
          ["#fffaf0", "M150 346h9v66h-9zM222 346h9v66h-9zM282 346h9v66h-9zM370 346h9v66h-9z"],
          ["#e4d4b4", "M136 404h260v10H136z"],
          ["#1f5c2a", "M304 344h38v60h-38z"],
          ["#f4c95a", oval(334, 376, 3)],
          ["#fffaf0", "M396 318h70v66h-70z"],
          ["#fffaf0", "M168 350h50v40h-50z"],
        ]}
      />
      <Bars colour="#fffaf0" d="M160 392h62M232 392h50" height={22} bar={4} gap={7} />
      <Shapes
        of={[
          ["#fffdf6", "M0 388h120v5H0zM0 402h120v5H0z"],
          ["#4d8148", "M118 414v-12q0-18 20-18h128q22 0 22 18v12zM348 414v-10q0-20 22-20h132q20 0 20 20v10z"],
          [
            "#649a58",
            "M126 396q4-10 18-10h116q14 0 18 10-40-6-76-4t-76 4zM356 396q6-10 18-10h120q12 0 18 10-40-6-78-4t-78 4z",
          ],
        ]}
      />
      <Bars colour="#fffdf6" d="M0 396h120" height={38} bar={8} gap={7} />
      <Lawn />
      <FrontPath x={323} />
      <StreetTree x={92} y={486} scale={1.05} colours={tree} />
      <Letterbox x={426} y={502} />
      <Mower x={536} y={512} />
    </>
  );
}

/** A row of terraces behind a paling fence: the inner city. */
export function Terraces({ tree }: { tree: Colours | null }) {
  const walls = ["#c98a6b", "#ecdcb8", "#8fb2ae", "#d9a58c", "#b9748a"];
  return (
    <>
      <Sky colour="#f5e3c3" x={470} y={240} haze={0.4} />
      <Shapes of={[["#dcbf9b", "M0 250h60v-40h50v26h70v-60h44v50h90v-30h60v40h120v-70h50v50h96v200H0z"]]} />
      <Shapes of={walls.map((wall, index) => [wall, `M${index * 132 - 12} 250h132v190h-132z`])} />
      <defs>
        <g id="terrace">
          <Shapes
            of={[
              ["#8c5a45", "M-10 208h24v40h-24zM-7 200h6v10h-6zM5 200h6v10H5z"],
              ["#fff7e8", "M-2 240h136v11H-2zM34 241q32-40 64 0z"],
              ["#6d7f83", "M-4 290L4 270h124l8 20z"],
              ["#aebcbd", "M4 270h20l-4 20H-4zM48 270h20l2 20H48zM92 270h20l6 20H98z"],
              ["#00000022", "M0 290h132v12H0zM0 370h132v12H0z"],
              ["#fff7e8", "M0 362h132v8H0z"],
              ["#1d3a34", "M88 380h28v60H88z"],
              ["#fff7e8", "M-3 288h6v152h-6zM129 288h6v152h-6z"],
            ]}
          />
          <Bars colour="#fff7e8" d="M0 296h132M0 376h132" height={12} bar={4} gap={3} />
          <Bars colour="#4a4f4a" d="M0 348h132" height={26} bar={2} gap={4} />
          <path fill="#4a4f4a" d="M0 333h132v4H0z" />
        </g>
      </defs>
      {walls.map((wall, index) => (
        <use key={wall} href="#terrace" x={index * 132 - 12} />
      ))}
      <Shapes
        of={[
          ["#6da347", "M0 436h640v30H0z"],
          [
            "#86b858",
            "M0 436h60v30H0zM120 436h60v30h-60zM240 436h60v30h-60zM360 436h60v30h-60zM480 436h60v30h-60z",
          ],
        ]}
      />
      <Bush x={64} y={462} r={28} />
      <Bush x={356} y={462} r={24} colours={["#5c7f58", "#7aa06c"]} />
      <path fill="#7d6a55" d="M0 446h640v7H0z" />
      <Bars colour="#9c8468" d="M0 458h262M318 458h322" height={54} bar={17} gap={3} />
      <Bars colour="#b0977a" d="M264 460h52" height={48} bar={8} gap={3} />
      <Shapes
        of={[
          ["#6a5845", "M256 424h8v64h-8zM316 424h8v64h-8z"],
          ["#d9d4c6", "M0 484h640v34H0z"],
          ["#c3beb0", "M0 516h640v5H0zM100 484h2v32h-2zM230 484h2v32h-2zM360 484h2v32h-2zM490 484h2v32h-2z"],
          ["#6da347", "M0 521h640v30H0z"],
          [
            "#86b858",
            "M20 521h52l-8 30H8zM124 521h52l-6 30h-54zM228 521h52l-4 30h-54zM332 521h52l-2 30h-54zM436 521h52v30h-54zM540 521h52l2 30h-54z",
          ],
          ["#a9a698", "M0 551h640v9H0z"],
        ]}
      />
      <StreetTree x={582} y={540} scale={0.92} colours={tree} />
      <Letterbox x={238} y={486} fill="#8a3b34" />
      <Mower x={116} y={545} scale={0.86} />
    </>
  );
}

/** A walk-up block of flats with its bins out: strata. */
export function Strata({ tree }: { tree: Colours | null }) {
  const floors = [214, 280, 346];
  const openings = floors.map((y) => `M196 ${y + 4}h66v56h-66zM420 ${y + 4}h66v56h-66z`).join("");
  const rails = floors.map((y) => `M190 ${y + 48}h78M414 ${y + 48}h78`).join("");
  return (
    <>
      <Sky colour="#d3e5ee" x={90} y={250} />
      <Shapes
        of={[
          ["#b9c8cc", "M0 270h96v140H0zM556 246h84v164h-84z"],
          ["#a3b6b4", "M0 376q40-30 90-6t90-4 120 4h340v50H0z"],
          ["#b5644a", "M160 206h362v208H160z"],
          ["#a2563e", "M300 206h82v208h-82z"],
          ["#8b4a36", "M150 196h382v14H150z"],
          ["#f0e6d6", "M150 192h382v6H150z"],
          ["#7a3f2e", openings],
          ["#e9dcc6", floors.map((y) => `M186 ${y + 58}h86v7h-86zM410 ${y + 58}h86v7h-86z`).join("")],
          ["#f0e6d6", "M312 216h58v150h-58z"],
          ["#3f5f57", "M318 366h46v48h-46z"],
          ["#e9dcc6", "M304 356h74v9h-74z"],
          ["#5c8f5a", `${oval(256, 268, 9, 7)}${oval(430, 334, 10, 8)}${oval(204, 402, 10, 8)}`],
          ["#f4f0e4", "M424 286h20v24h-20zM448 286h14v20h-14z"],
        ]}
      />
      <path
        d="M160 222h362M160 238h362M160 254h362M160 270h362M160 286h362M160 302h362M160 318h362M160 334h362M160 350h362M160 366h362M160 382h362M160 398h362"
        stroke="#8b4a3666"
        strokeWidth="1.5"
      />
      <Shapes
        of={[
          ["#7a3f2e", openings],
          ["#f0e6d6", "M312 216h58v140h-58z"],
          ["#e9dcc6", floors.map((y) => `M186 ${y + 58}h86v7h-86zM410 ${y + 58}h86v7h-86z`).join("")],
        ]}
      />
      <Bars colour="#f0e6d6" d={rails} height={24} bar={3} gap={5} />
      <Shapes
        of={[
          ["#f0e6d6", floors.map((y) => `M186 ${y + 34}h86v4h-86zM410 ${y + 34}h86v4h-86z`).join("")],
          ["#4d8148", "M96 416v-24q0-10 10-10h174q10 0 10 10v24zM392 416v-24q0-10 10-10h188q10 0 10 10v24z"],
          ["#649a58", "M96 392q0-10 10-10h174q10 0 10 10zM392 392q0-10 10-10h188q10 0 10 10z"],
        ]}
      />
      <Lawn top={414} to={341} />
      <FrontPath x={341} top={414} />
      <StreetTree x={72} y={492} scale={1.02} colours={tree} />
      {["#b3392f", "#3f7d49", "#e0a92e"].map((lid, index) => (
        <g key={lid} transform={`translate(${478 + index * 48} 432)`}>
          <Shapes
            of={[
              ["#3b4742", "M2 10h34l-4 58H8z"],
              ["#4c5a54", "M2 10h12l2 58H8z"],
              [lid, "M-2 2q0-6 6-6h30q6 0 6 6v9H-2z"],
              ["#23302b", oval(10, 68, 5)],
            ]}
          />
        </g>
      ))}
      <Mower x={226} y={520} scale={1.05} />
    </>
  );
}

/** Draws a young tree between two stakes. */
const sapling = (x: number) => (
  <g transform={`translate(${x} 470)`}>
    <Line colour="#a98d68" width={3} d="M-12 0v-66M12 0v-66M-12-46h24" />
    <Line colour="#7b6a58" width={4} d="M0 0v-84" />
    <Shapes
      of={[
        ["#5f9a55", oval(0, -100, 20, 26)],
        ["#80b56e", oval(-5, -108, 11, 12)],
      ]}
    />
  </g>
);

/** New houses with fresh turf: an estate. */
export function Estate() {
  return (
    <>
      <Sky colour="#c9e4f1" x={560} y={240} />
      <Shapes
        of={[
          ["#bcd6c0", "M0 372q160-40 330-14t310-14v70H0z"],
          ["#f0e7d2", "M-20 300h150v112H-20z"],
          ["#56616a", "M-30 300l20-34h130l24 34z"],
          ["#8f7f6b", "M-20 352h96v60h-96z"],
          ["#3f4a52", "M166 262l200-44v18l-200 44z"],
          ["#f7f4ec", "M180 276l176-38v174H180z"],
          ["#9a6d4b", "M180 330h70v82h-70z"],
          ["#4b555d", "M356 288h150v124H356z"],
          ["#39424a", "M344 278h174v14H344z"],
          ["#dfe3e4", "M372 326h118v86H372z"],
          ["#c3cacc", "M372 346h118v3H372zM372 368h118v3H372zM372 390h118v3H372z"],
          ["#fffaf0", "M266 268h74v52h-74zM198 292h36v28h-36z"],
          ["#2f3a42", "M268 344h46v68h-46z"],
          ["#c3cacc", "M322 344h18v68h-18z"],
          ["#39424a", "M250 330h108v8H250z"],
          ["#f0e7d2", "M548 310h100v102H548z"],
          ["#a14b36", "M536 310l40-44h80v44z"],
          ["#dfe3e4", "M580 346h60v66h-60z"],
        ]}
      />
      <Lawn top={412} to={290} colours={["#8cc45c", "#76b04b"]} stripes={14} />
      <Shapes
        of={[
          ["#d9d6cc", "M372 412h118l106 148H392z"],
          ["#c6c3b8", "M378 440h132l3 4H379zM384 488h164l3 4H385z"],
          ["#d9d6cc", "M0 470h380v22H0zM560 470h80v22h-80z"],
          ["#8cc45c", "M0 492h386v52H0z"],
          ["#76b04b", "M0 492h48v52H0zM96 492h48v52H96zM192 492h48v52h-48zM288 492h48v52h-48z"],
          ["#a9815b", "M386 492v52h60l-10-52z"],
          ["#b8b5a9", "M0 544h640v16H0z"],
        ]}
      />
      <g transform="translate(396 520)">
        <Shapes
          of={[
            ["#6f9b45", "M0-24h78v44H0z"],
            ["#5f8a3a", "M0 6h78v14H0z"],
            ["#a9815b", oval(80, -2, 16, 22)],
            ["#8cc45c", oval(80, -2, 10, 14)],
            ["#a9815b", oval(80, -2, 5, 7)],
          ]}
        />
      </g>
      {sapling(76)}
      {sapling(330)}
      <Letterbox x={214} y={482} fill="#39424a" />
      <Mower x={170} y={536} scale={0.92} />
    </>
  );
}
