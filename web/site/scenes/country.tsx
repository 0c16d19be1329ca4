/** Draws places at the coast, on the tablelands and in the snow country. */
import { Mower, Letterbox } from "./figures.tsx";
import { Bars, Bush, FrontPath, Lawn, Line, oval, Shapes, Sky } from "./parts.tsx";

/** A weatherboard cottage above the beach: the coast. */
export function Coast() {
  const tiers = Array.from({ length: 9 }, (_, i) => {
    const reach = 10 + i * 8;
    return `M${86 - reach} ${228 + i * 21}Q86 ${192 + i * 21} ${86 + reach} ${228 + i * 21}L86 ${220 + i * 21}z`;
  }).join("");
  return (
    <>
      <Sky colour="#bfe4ea" x={250} y={300} />
      <Shapes
        of={[
          ["#7fa68f", "M400 336q60-42 140-40 60-4 100 14v40H400z"],
          ["#3f97ab", "M0 336h640v80H0z"],
          [
            "#5fb0bf",
            "M40 346h130v4H40zM210 352h90v4h-90zM20 364h90v4H20zM150 372h120v4H150zM330 348h80v4h-80z",
          ],
          [
            "#e9f5f2",
            "M0 386q50-8 110 0t120 0 110 0 110 0 190-2v8q-100 6-190 4-60-6-110 0t-110 0-120 0-110 2z",
          ],
          ["#f0ddb3", "M0 396q160-12 330 0t310-4v30H0z"],
          [
            "#fff",
            "M150 268q10-10 18 0 8-10 18 0-10-4-18 3-8-7-18-3zM96 292q7-7 13 0 6-7 13 0-7-3-13 2-6-5-13-2z",
          ],
        ]}
      />
      <Line colour="#6b5a4a" width={7} d="M86 430V206" />
      <Shapes
        of={[
          ["#2f6b58", tiers],
          ["#4d8a70", "M86 196l8 18H78z"],
        ]}
      />
      <g transform="translate(56 80) scale(1.24)">
        <Shapes
          of={[
            ["#5d7f86", "M190 170l46-72h196l50 72z"],
            ["#7a9ba1", "M236 98h20l-18 72h-26zM290 98h24v72h-26zM348 98h22l10 72h-28zM404 98h20l28 72h-28z"],
            ["#dcebe9", "M306 170h154v94H306z"],
            ["#f6faf6", "M192 172l57-68 57 68v92H192z"],
          ]}
        />
        <path
          d="M192 186h268M192 200h268M192 214h268M192 228h268M192 242h268M204 172h90M216 158h66M228 144h42"
          fill="none"
          stroke="#16324022"
          strokeWidth="1.5"
        />
        <Line colour="#fff" width={7} d="M186 176l63-75 63 75" />
        <Shapes
          of={[
            ["#8aa8ac", "M308 172h160l14 20H308z"],
            [
              "#fff",
              "M344 192h6v72h-6zM404 192h6v72h-6zM466 192h6v72h-6zM308 190h174v4H308zM216 190h64v56h-64zM354 202h46v46h-46zM412 202h34v46h-34z",
            ],
            ["#e0694a", "M308 206h31v58h-31z"],
            ["#f3efe2", "M300 258h178v8H300z"],
            ["#ef8354", "M484 262q-13-54 2-92 13 38 7 92z"],
            ["#fff", "M481 214q8-4 14 0v8q-7-4-14 0z"],
          ]}
        />
      </g>
      <Lawn top={410} to={430} colours={["#8fbd62", "#74a84e"]} />
      <FrontPath x={457} top={410} fill="#f0ddb3" />
      <Shapes of={[["#fffdf6", "M0 398h280v5H0zM0 413h280v5H0z"]]} />
      <Bars colour="#fffdf6" d="M0 406h284" height={38} bar={8} gap={8} />
      <Bush x={330} y={418} r={30} colours={["#5f8f78", "#7fab8e"]} />
      <Bush x={290} y={420} r={22} colours={["#4f7f6b", "#6d9c80"]} />
      <Bush x={612} y={418} r={36} colours={["#5f8f78", "#7fab8e"]} />
      <Mower x={178} y={502} scale={1.1} />
      <Letterbox x={560} y={516} fill="#2f7d92" />
    </>
  );
}

/** Returns the path of a poplar, from its foot to its top. */
const poplar = (x: number, top: number, r: number) =>
  `M${x} 412C${x - r * 2} 360 ${x - r} ${top + 30} ${x} ${top}C${x + r} ${top + 30} ${x + r * 2} 360 ${x} 412z`;

/** A stone cottage on a frosty morning: the tablelands. */
export function Tablelands() {
  const poplars = [
    [30, 246],
    [76, 216],
    [120, 232],
    [600, 224],
  ] as const;
  return (
    <>
      <Sky colour="#d5dcec" x={170} y={300} haze={0.45} />
      <Shapes
        of={[
          ["#a9b6d0", "M0 340l70-40 60 24 90-58 84 50 70-26 90 44 80-52 96 46v90H0z"],
          ["#c3cbe0", "M0 372q100-40 220-22t210-6 210 0v70H0z"],
          ["#b6c6b8", "M0 392q160-26 320-8t320-8v44H0z"],
          [
            "#fff",
            `${oval(180, 388, 9, 6)}${oval(204, 394, 9, 6)}${oval(152, 396, 9, 6)}${oval(236, 388, 8, 5)}`,
          ],
          [
            "#4b4f55",
            `${oval(189, 386, 3.5)}${oval(213, 392, 3.5)}${oval(143, 394, 3.5)}${oval(244, 386, 3)}`,
          ],
          ["#b9733c", poplars.map(([x, top]) => poplar(x, top, 18)).join("")],
          ["#d6995a", poplars.map(([x, top]) => poplar(x - 5, top + 14, 8)).join("")],
          ["#efeff4", "M462 206q-26-18-2-36 22-16 2-36 34 12 18 40-14 20 0 32z"],
          ["#8d8378", "M446 208h32v64h-32z"],
          ["#736a61", "M442 204h40v10h-40z"],
          ["#5d6b72", "M206 320l70-86h216l60 86z"],
          ["#74838a", "M276 234h216l14 20H260z"],
          ["#eef1f6", "M276 234h216l8 11H266z"],
          ["#c9bfae", "M224 318h310v94H224z"],
          [
            "#b3a896",
            "M236 330h34v14h-34zM300 324h22v12h-22zM506 330h24v14h-24zM240 384h26v14h-26zM420 386h30v14h-30zM500 382h30v14h-30zM416 330h26v12h-26z",
          ],
          ["#00000018", "M224 318h310v12H224z"],
          ["#f4efe4", "M258 338h74v52h-74zM442 338h74v52h-74z"],
          ["#7c3b34", "M366 338h44v74h-44z"],
          ["#e6ded0", "M356 330h64v8h-64z"],
          ["#9aa6a8", "M340 330l12-20h72l12 20z"],
          ["#f4efe4", "M346 330h6v82h-6zM424 330h6v82h-6z"],
        ]}
      />
      <Lawn top={410} to={388} colours={["#dfeae4", "#c6d8ce"]} />
      {/* The sun has melted the frost here. */}
      <Shapes
        of={[
          ["#8fb06c", "M0 494q150-34 330-22t310-16v104H0z"],
          [
            "#7da05c",
            "M0 494q40-9 84-14L20 560H0zM200 473q50-4 92-2l-50 89H124zM404 474q60 2 116-6l34 92H412z",
          ],
        ]}
      />
      <FrontPath x={388} top={410} fill="#d8d4cf" />
      <Line colour="#8a7c6c" width={6} d="M0 424h196M0 444h196" />
      <Line colour="#766959" width={9} d="M16 408v52M76 408v52M136 408v52M196 408v52" />
      <Bush x={240} y={416} r={24} colours={["#7f9a86", "#dfe9e6"]} />
      <Bush x={548} y={416} r={32} colours={["#7f9a86", "#dfe9e6"]} />
      <Bush x={462} y={416} r={20} colours={["#7f9a86", "#dfe9e6"]} />
      <Letterbox x={500} y={516} fill="#4d5f73" />
      <Mower x={206} y={534} scale={0.95} />
    </>
  );
}

/** A lodge below the ranges: the snow country. */
export function SnowCountry() {
  return (
    <>
      <Sky colour="#c4dcee" x={150} y={250} haze={0.42} />
      <Shapes
        of={[
          ["#8ea9c6", "M0 352l90-90 60 46 110-110 90 92 70-56 110 96 110-70v200H0z"],
          [
            "#fff",
            "M90 262l34 26-22 4-16 16-12-14-26 10zM260 198l42 43-20 2-10 20-20-16-18 22-14-14-20 5zM420 234l44 38-24 2-12 14-20-14-18 8zM640 260v28l-20-4-14 8-16-10-18 8z",
          ],
          ["#6f8fa8", "M0 384q120-50 260-20t240-10 140 4v70H0z"],
          [
            "#5b7f74",
            "M0 404l22-42 18 32 20-48 22 46 18-30 20 36 24-44 20 50h300l20-46 22 40 20-52 24 50 18-34 22 40 20-44 20 38 10-14v30H0z",
          ],
          ["#6b4a35", "M220 400V300l110-110 110 110v112H220z"],
          [
            "#7d583f",
            "M220 318h220v10H220zM220 344h220v10H220zM220 370h220v10H220zM220 396h220v10H220zM246 290h168v10H246zM274 262h112v10H274z",
          ],
          ["#8f3a30", "M192 340L330 178l138 162h-30L330 214 222 340z"],
          ["#fff", "M186 340L330 172l144 168h-18L330 194 204 340z"],
          ["#f2e6d0", "M252 318h54v54h-54zM354 318h54v54h-54zM306 246h48v44h-48z"],
          ["#2f4f46", "M312 346h36v66h-36z"],
          ["#4a3424", "M210 404h240v10H210z"],
          ["#8d8378", "M398 214h26v60l-26-30z"],
          ["#fff", "M394 208h34v9h-34z"],
        ]}
      />
      <Shapes
        of={[
          [
            "#c9a57c",
            Array.from({ length: 12 }, (_, i) =>
              oval(470 + (i % 4) * 17 + (i > 7 ? 16 : i > 3 ? 8 : 0), 402 - Math.floor(i / 4) * 15, 8),
            )
              .slice(0, 11)
              .join(""),
          ],
        ]}
      />
      <Lawn top={412} to={330} colours={["#8ab367", "#749f55"]} />
      <Shapes
        of={[
          [
            "#fff",
            "M0 420q60-14 130-4 40 6 60 18-60 12-110 8T0 452zM640 430q-60-16-110-4-30 8-40 18 60 14 90 12t60 6zM0 540q60-26 130-12 40 10 30 32H0zM470 560q20-26 90-26 50 0 80 12v14z",
          ],
          [
            "#e3ebf2",
            "M0 446q60-8 120-4 40 0 70-8-60 12-110 8T0 452zM640 456q-60-10-90-8-30 0-60-4 60 14 90 12t60 6z",
          ],
        ]}
      />
      <FrontPath x={330} top={412} fill="#cdd3d4" />
      <g transform="translate(560 470)">
        <Line colour="#e2d4bf" width={13} d="M0 0q-20-50 4-92 14-30-8-70" />
        <Line colour="#c98f74" width={5} d="M-4-30q0-40 10-64" />
        <Line colour="#d3c2aa" width={7} d="M4-88q24-10 46-48M-2-60q-30-14-44-50" />
        <Shapes
          of={[
            ["#5d8a6d", oval(-10, -176, 44, 24) + oval(48, -146, 36, 20) + oval(-50, -120, 32, 18)],
            ["#86ab8c", oval(-20, -184, 26, 11) + oval(42, -152, 20, 9) + oval(-56, -126, 18, 8)],
          ]}
        />
      </g>
      <Mower x={214} y={510} scale={1.05} />
      <Letterbox x={440} y={512} fill="#8f3a30" />
    </>
  );
}
