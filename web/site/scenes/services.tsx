/** Draws our services at work. */
import { Mower, Person, Ute } from "./figures.tsx";
import { Bars, Bush, Gum, Lawn, Line, oval, Shapes, Sky, Tufts, BackFence } from "./parts.tsx";

export function LawnMowing() {
  return (
    <>
      <Sky colour="#cfe6ea" x={470} y={250} />
      <path
        fill="#8fb48e"
        d="M0 350q40-40 90-16 40-44 100-12 60-34 110 4 60-30 110-6 60-40 120-4 60-26 110 2v90H0z"
      />
      <Gum x={104} y={420} scale={1.3} />
      <BackFence />
      <Lawn top={412} to={200} colours={["#9cca6c", "#7fb356"]} stripes={8} />
      <Shapes
        of={[
          ["#659a3f", "M470 412h170v148H520z"],
          ["#578937", "M470 412h170v14H474z"],
        ]}
      />
      <Tufts from={476} to={640} y={432} height={26} fill="#659a3f" />
      <Tufts from={492} to={640} y={480} fill="#578937" height={34} />
      <Tufts from={508} to={640} y={536} fill="#4d7d31" height={38} />
      <Person x={226} y={524} hands={[50, -72]} />
      <Mower x={394} y={530} scale={1.5} />
      <Shapes
        of={[
          [
            "#b7dd86",
            `${oval(478, 494, 5, 3)}${oval(494, 478, 4, 2.5)}${oval(488, 512, 5, 3)}${oval(506, 496, 4, 2.5)}`,
          ],
        ]}
      />
    </>
  );
}

export function GardenCleanup() {
  return (
    <>
      <Sky colour="#f3e6c9" x={150} y={240} />
      <path fill="#a9bd8d" d="M0 340q60-40 120-14 60-46 130-8 70-30 120 6 70-36 130 0 60-28 140 6v90H0z" />
      <BackFence top={300} />
      <Lawn top={412} to={420} />
      <Shapes
        of={[
          ["#6b4a35", "M0 404q180-20 330 0 60 10 44 40-20 34-120 44-140 10-254-4z"],
          ["#5a3d2b", "M0 470q110 14 254 2 70-8 104-28-14 36-104 44-140 10-254-4z"],
        ]}
      />
      <Bush x={64} y={432} r={52} />
      <Bush x={170} y={430} r={40} colours={["#6b9a5a", "#8bb877"]} />
      <Line colour="#4d8148" width={4} d="M250 450v-56M276 456v-44M228 454v-40" />
      <Shapes
        of={[
          ["#d8617a", `${oval(250, 386, 12)}${oval(276, 404, 10)}`],
          ["#f0b8c3", `${oval(250, 386, 5)}${oval(276, 404, 4)}`],
          ["#8a79cc", oval(228, 406, 10)],
        ]}
      />
      <Line colour="#8a6a48" width={5} d="M486 408L358 518" />
      <Line
        colour="#5d666b"
        width={5}
        d="M338 506l36 30M340 508l-12 14M352 518l-11 13M364 528l-11 13M374 536l-10 13"
      />
      <g transform="translate(860 0) scale(-1 1)">
        <Person x={316} y={526} hands={[44, -88]} shirt="#c9654a" />
      </g>
      <Shapes
        of={[
          ["#c08a3e", `${oval(290, 538, 40, 16)}${oval(268, 528, 24, 14)}`],
          ["#dba657", `${oval(282, 530, 20, 7)}${oval(306, 538, 12, 5)}`],
        ]}
      />
      <g transform="translate(126 524)">
        <Line colour="#6b5a48" width={6} d="M-66-30L6-16 44 4M-40 6l10-30" />
        <Shapes
          of={[
            ["#4d8148", `${oval(-6, -56, 34, 20)}${oval(26, -50, 24, 16)}`],
            ["#3f7d6a", "M-48-54H64L40-14h-64z"],
            ["#2f6556", "M-48-54H64l-6 9h-100z"],
            ["#262e2a", oval(52, 2, 17)],
            ["#b9c0bd", oval(52, 2, 6)],
          ]}
        />
      </g>
    </>
  );
}

export function YardCleanup() {
  return (
    <>
      <Sky colour="#d6e7e4" x={420} y={240} />
      <path fill="#a3bfa4" d="M0 346q80-40 150-10 70-36 150-2 80-30 150 0 90-34 190 2v80H0z" />
      <Gum x={560} y={420} scale={1.35} />
      <BackFence top={320} />
      <Shapes
        of={[
          ["#7fb356", "M0 412h640v148H0z"],
          ["#9cca6c", "M0 480q160-30 330-20l-70 100H0z"],
          ["#5b8a3a", "M330 412h310v148H260z"],
        ]}
      />
      <Tufts from={330} to={640} y={436} height={50} fill="#6f9f45" />
      <Tufts from={350} to={640} y={480} height={62} fill="#5b8a3a" />
      <g transform="translate(540 470)">
        <Shapes
          of={[
            ["#34403b", `${oval(0, -20, 38)}`],
            ["#5b8a3a", oval(0, -20, 18)],
            ["#4a5852", "M-32-42q32-26 64 0l-8 6q-24-18-48 0z"],
          ]}
        />
      </g>
      <Tufts from={450} to={640} y={536} height={70} fill="#4d7d31" />
      <Line colour="#3a4247" width={6} d="M150 404L368 520" />
      <Shapes
        of={[
          ["#e0692f", "M128 392h26v20h-26z"],
          ["#3a4247", "M134 386h14v8h-14z"],
          ["#3a4247", oval(372, 524, 22, 6)],
          [
            "#b7dd86",
            `${oval(400, 500, 6, 3)}${oval(414, 482, 5, 3)}${oval(392, 480, 4, 3)}${oval(426, 506, 6, 3)}${oval(408, 462, 4, 2)}`,
          ],
        ]}
      />
      <Person x={170} y={534} hands={[40, -64]} shirt="#e0692f" />
      <Shapes
        of={[
          ["#34403b", "M46 486h66l-8 62H54z"],
          ["#4d8148", `${oval(62, 482, 24, 14)}${oval(92, 478, 26, 16)}${oval(78, 464, 20, 14)}`],
        ]}
      />
    </>
  );
}

export function GreenWaste() {
  return (
    <>
      <Sky colour="#cfe4ee" x={120} y={250} />
      <path fill="#9fc0a0" d="M0 356q80-40 160-14 80-40 160-4 80-34 160-2 70-26 160 2v70H0z" />
      <Gum x={590} y={424} scale={1.25} />
      <BackFence top={334} base={404} />
      <Shapes
        of={[
          ["#7fb356", "M0 404h640v40H0z"],
          [
            "#93c466",
            "M0 404h54v40H0zM108 404h54v40h-54zM216 404h54v40h-54zM324 404h54v40h-54zM432 404h54v40h-54zM540 404h54v40h-54z",
          ],
          ["#c9c6bb", "M0 444h640v14H0z"],
          ["#6e7478", "M0 458h640v102H0z"],
          ["#8b9195", "M20 516h90v6H20zM190 516h90v6h-90zM360 516h90v6h-90zM530 516h90v6h-90z"],
        ]}
      />
      <g transform="translate(20 486)">
        <Line
          colour="#6b5a48"
          width={6}
          d="M46-100l-16-70M90-104l20-80M140-104l-6-72M168-100l28-64M66-104l-44-40"
        />
        <Shapes
          of={[
            ["#4d8148", `${oval(50, -122, 44, 30)}${oval(108, -136, 50, 36)}${oval(160, -118, 42, 28)}`],
            ["#6b9f5c", `${oval(38, -132, 24, 12)}${oval(102, -154, 28, 13)}${oval(164, -128, 22, 11)}`],
            ["#87694a", "M4-104h200v74H4z"],
            ["#6f5539", "M4-82h200v4H4zM4-58h200v4H4z"],
            ["#3a4247", "M0-108h8v82H0zM66-108h6v82h-6zM132-108h6v82h-6zM200-108h8v82h-8zM-4-32h260v9H-4z"],
            ["#262e2a", oval(104, -18, 27)],
            ["#b9c0bd", oval(104, -18, 12)],
          ]}
        />
      </g>
      <Ute x={436} y={486} colour="#3f7d6a" />
    </>
  );
}

export function PressureWashing() {
  return (
    <>
      <Sky colour="#d9e6ec" x={80} y={240} />
      <path fill="#a9c3aa" d="M0 350q60-36 130-10l60 30v60H0z" />
      <Shapes
        of={[
          ["#f3e6cc", "M150 240h490v180H150z"],
          ["#b5543b", "M120 240l60-64h460v64z"],
          ["#9c4530", "M120 240h520v10H120z"],
          ["#e6e8e4", "M370 284h220v136H370z"],
          ["#c9cec9", "M370 316h220v4H370zM370 350h220v4H370zM370 384h220v4H370z"],
          ["#fffaf0", "M252 284h106v76H252z"],
          ["#4d8148", "M150 420v-26q0-12 14-12h180q14 0 14 12v26z"],
        ]}
      />
      <Lawn top={416} to={300} />
      <Shapes
        of={[
          ["#a49a8a", "M356 416h248l120 144H236z"],
          ["#e3ded0", "M356 416h130l-40 144H236z"],
          ["#8e8576", "M486 416h118l120 144H446l14-50 30-20-16-24z"],
          ["#00000012", "M330 448h300l12 6H326zM296 490h368l8 6H290z"],
        ]}
      />
      <path fill="#e9f6fb" fillOpacity=".85" d="M356 452l112 24q14 22-8 50z" />
      <Line colour="#33413a" width={6} d="M246 412L360 456" />
      <Line colour="#e0a92e" width={4} d="M246 412q-70 60-130 106" />
      <Person x={196} y={534} hands={[38, -88]} shirt="#2f6f8f" />
      <Shapes
        of={[
          ["#e0b13a", "M52 478h76v50H52z"],
          ["#33413a", "M58 466h12v62H58zM64 462h64v8H64z"],
          ["#262e2a", `${oval(66, 534, 15)}${oval(118, 534, 15)}`],
          [
            "#d6eef7",
            `${oval(486, 470, 6, 4)}${oval(498, 500, 7, 4)}${oval(474, 528, 6, 4)}${oval(500, 480, 4, 3)}`,
          ],
        ]}
      />
    </>
  );
}

export function HedgeTrimming() {
  return (
    <>
      <Sky colour="#d3e9ec" x={500} y={236} />
      <Gum x={90} y={420} scale={1.4} />
      <path fill="#9fc0a0" d="M0 366q60-30 130-8 90-26 170 0 80-30 340-4v70H0z" />
      <Shapes
        of={[
          ["#3f7440", "M300 424V296q0-14 14-14h130v142z"],
          ["#4f8a4c", "M300 300q0-18 14-18h130v18z"],
          ["#3f7440", "M444 424V270q10-34 34-22 10-34 40-18 24-26 48 2 34-14 40 20 34 0 40 24v148z"],
          [
            "#578f50",
            "M452 276q12-22 30-14 14-26 38-12 24-20 44 6 26-8 34 18-34-8-52 6-30-14-48 4-24-14-46-8zM470 350q16-12 32 2 16-14 36 0 18-14 40 2-20 16-40 6-18 14-36 2-20 8-32-12z",
          ],
          ["#4f8a4c", "M316 320h30v10h-30zM372 346h36v10h-36zM330 384h40v10h-40zM400 306h26v10h-26z"],
        ]}
      />
      <Lawn top={420} to={360} />
      <Shapes
        of={[
          [
            "#4d8148",
            `${oval(420, 448, 12, 5)}${oval(452, 456, 10, 4)}${oval(392, 466, 11, 5)}${oval(440, 484, 13, 5)}${oval(480, 474, 10, 4)}${oval(366, 452, 9, 4)}`,
          ],
        ]}
      />
      <Line colour="#c9a06a" width={6} d="M180 520l34-186M254 520l-30-186M192 458h52M198 420h44M206 384h30" />
      <Line colour="#d9dcd6" width={8} d="M356 320l108-48" />
      <Bars colour="#8b938c" d="M366 309l94-42M368 323l96-42" height={5} bar={5} gap={5} />
      <Shapes
        of={[
          ["#e0692f", "M318 316l40-18 12 24-42 20q-16-8-10-26z"],
          ["#33413a", "M330 300l14-6 10 16-16 8z"],
        ]}
      />
      <Person x={262} y={494} hands={[52, -124]} shirt="#3f6f4f" />
      <Bush x={590} y={430} r={26} colours={["#6b9a5a", "#8bb877"]} />
    </>
  );
}
