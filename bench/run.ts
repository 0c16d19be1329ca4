/**
 * `npm run bench`: measures the market's speed against a bare Worker and Durable Object in the same run.
 *
 * `--parts=claims,winning,windows,reconnect` selects parts. `--no-build` measures the existing build. `--quick` only
 * checks that the benchmarks run: ignore its figures. `first-tap` and `pipeline` need a browser, so they run only if
 * `--parts` names them.
 */
import { migrate } from "../testing/product/read-build.ts";
import { readArguments } from "../scripts/command.ts";
import { run, step } from "../testing/tools.ts";
import { serveStripe } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { measureClaims } from "./claims.ts";
import { measureFirstTap } from "./first-tap.ts";
import { printTable } from "./figures.ts";
import { measurePipeline } from "./pipeline.ts";
import { measureReconnect } from "./reconnect.ts";
import { startFloor, startProduct } from "./runtime.ts";
import { measureWindows } from "./windows.ts";
import { SlowStripe, measureWinning } from "./winning.ts";
import { CARDS } from "./world.ts";

const args = readArguments({
  name: "bench",
  options: { parts: "text", quick: "flag", "no-build": "flag" },
});
const parts = (args.option("parts") ?? "claims,winning,windows,reconnect").split(",");
const isQuick = args.hasFlag("quick");
const sizes = isQuick
  ? {
      claims: { claims: 64, rounds: 1, crowds: [32] },
      winning: { rounds: 2, crowd: 10 },
      windows: { claims: 2, crowds: [20] },
      reconnect: { windows: 200, rounds: 1 },
      firstTap: { runs: 1, cpuSlowdown: [1] },
      pipeline: { few: 50, many: 500, runs: 1 },
    }
  : {
      claims: { claims: 2_000, rounds: 5, crowds: [32, 50, 200] },
      winning: { rounds: 20, crowd: 50 },
      windows: { claims: 20, crowds: [100, 1_000, 5_000] },
      reconnect: { windows: 2_000, rounds: 3 },
      firstTap: { runs: 5, cpuSlowdown: [1, 4] },
      pipeline: { few: 50, many: 5_000, runs: 5 },
    };
const started = performance.now();

if (!args.hasFlag("no-build")) await step("Build", () => run("react-router", ["build"]));
const stripe = await serveStripe(new StripeStandIn(CARDS.STRIPE_WEBHOOK_SECRET));
const vars = { ...CARDS, STRIPE_API_HOST: stripe.url };

/** Starts the product and the baseline, each in its own process. */
async function startBoth() {
  const [product, floor] = [await startProduct(vars), await startFloor()];
  await migrate(product.d1);
  const stop = async () => void (await Promise.all([product.stop(), floor.stop()]));
  return { product, floor, stop };
}

if (parts.includes("claims")) {
  const { product, floor, stop } = await startBoth();
  printTable("Claims: one lead, providers at once", await measureClaims(product, floor, sizes.claims));
  await stop();
}
if (parts.includes("winning")) {
  const distant = await serveStripe(new SlowStripe(CARDS.STRIPE_WEBHOOK_SECRET));
  const product = await startProduct({ ...CARDS, STRIPE_API_HOST: distant.url });
  await migrate(product.d1);
  printTable("Winning: until the winner has the result", await measureWinning(product, sizes.winning));
  await product.stop();
  distant.stop();
}
if (parts.includes("windows"))
  printTable("Live: from the claim to the last window", await measureWindows(startBoth, sizes.windows));
if (parts.includes("reconnect")) {
  const { cases, claims } = await measureReconnect(vars, sizes.reconnect);
  printTable("Reconnect: a deploy drops every window", cases);
  printTable("Claims while the windows reconnect", claims);
}
if (parts.includes("first-tap")) {
  const title = "First tap: from requesting the dashboard to taking a lead";
  printTable(title, await measureFirstTap({ ...vars, STRIPE_JS_URL: stripe.scriptUrl }, sizes.firstTap));
}
if (parts.includes("pipeline"))
  printTable("Pipeline: many purchases against few", await measurePipeline(vars, sizes.pipeline));
stripe.stop();
console.log(
  `\n${((performance.now() - started) / 1000).toFixed(0)} s on ${process.platform}, Node ${process.version}`,
);
