/**
 * `npm run simulate`: plays random schedules of buyers, payments, crashes and lost messages against the
 * real state machine. `--schedules=N`, `--from=SEED`.
 */
import { simulate } from "../worker/testing/simulation/run.ts";

const BATCH = 5_000;

function option(name: string, otherwise: number): number {
  const text = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
}

const schedules = option("schedules", 100_000);
const from = option("from", Math.floor(Math.random() * 1e9));
const started = performance.now();
console.log(`${schedules} schedules from seed ${from}`);
for (let done = 0; done < schedules; done += BATCH) {
  const failure = simulate({ from: from + done, schedules: Math.min(BATCH, schedules - done) });
  if (failure) {
    const { seed, steps, message } = failure;
    console.error(
      `Seed ${seed}, ${steps} steps: ${message}\nAgain: npm run simulate -- --from=${seed} --schedules=1`,
    );
    process.exit(1);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${Math.min(done + BATCH, schedules)} without a violation, ${seconds} s`);
}
