/** Draws the scenes of pages with one message. */
import { Mower, Ute } from "./figures.tsx";
import { Bush, Gum, Line, Shapes, Sky, Tufts, BackFence } from "./parts.tsx";

/** A ute with a mower on its tray, on the way. */
export function OnTheWay() {
  return (
    <>
      <Sky colour="#f6e2bd" x={440} y={286} haze={0.4} />
      <Shapes
        of={[
          ["#c9cfa2", "M0 366q120-50 250-18t230-12 160 0v90H0z"],
          ["#9dbb86", "M0 390q90-26 190-8 100-30 200-4 110-26 250 0v50H0z"],
          ["#b5543b", "M34 350l34-34h86l34 34z"],
          ["#f6ead2", "M46 350h132v52H46z"],
          ["#fffaf0", "M60 362h32v26H60zM132 362h32v26h-32z"],
          ["#1f5c2a", "M102 362h20v40h-20z"],
        ]}
      />
      <Gum x={236} y={410} scale={1.05} />
      <Bush x={560} y={408} r={36} />
      <Bush x={612} y={410} r={26} colours={["#6b9a5a", "#8bb877"]} />
      <Shapes
        of={[
          ["#7fb356", "M0 400h640v46H0z"],
          [
            "#93c466",
            "M0 400h60v46H0zM120 400h60v46h-60zM240 400h60v46h-60zM360 400h60v46h-60zM480 400h60v46h-60zM600 400h40v46h-40z",
          ],
          ["#d9d4c6", "M0 446h640v12H0z"],
          ["#6e7478", "M0 458h640v102H0z"],
          [
            "#f0ead8",
            "M0 528h80v7H0zM150 528h80v7h-80zM300 528h80v7h-80zM450 528h80v7h-80zM600 528h40v7h-40z",
          ],
        ]}
      />
      <Mower x={262} y={434} scale={0.95} />
      <Ute x={346} y={508} />
      <Line colour="#fffdf6" width={5} d="M110 452h50M84 474h62M120 496h40" />
    </>
  );
}

/** A lawn mown in the shape of the number 404. */
export function LostMower() {
  return (
    <>
      <Sky colour="#cfe6ea" x={320} y={240} />
      <path fill="#8fb48e" d="M0 300q60-40 120-10 60-44 140-8 70-34 130 4 60-30 120-2 60-26 130 4v60H0z" />
      <Gum x={70} y={350} scale={0.95} />
      <Gum x={590} y={350} scale={0.8} />
      <BackFence top={282} base={344} />
      <path fill="#669c42" d="M0 344h640v216H0z" />
      <Tufts from={0} to={640} y={356} height={20} fill="#669c42" />
      <Line
        colour="#a5d276"
        width={28}
        d="M166 388L92 478h112M176 444v84M296 388q-52 0-54 70t50 70q56 0 58-70t-54-70zM468 388l-76 90h120M482 444v66"
      />
      <Tufts from={8} to={84} y={536} fill="#578937" height={30} />
      <Tufts from={548} to={640} y={470} fill="#578937" height={30} />
      <Tufts from={210} to={240} y={420} fill="#578937" height={26} />
      <Tufts from={356} to={396} y={548} fill="#578937" height={26} />
      <Mower x={486} y={536} scale={0.9} />
    </>
  );
}
