/** Parses the arguments of `npm run attack`. */
import { parseArgs } from "node:util";

const MAX_REQUESTS = 200_000;

export type Options = {
  seed: number;
  requests: number;
  only: number | null;
  builds: boolean;
  holes: boolean;
};

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new Error(`--${name} must be a whole number up to ${max}, not "${text}".`);
  return value;
}

/** @throws Error in one sentence for an unknown argument */
export function readOptions(args: string[]): Options {
  const known = {
    seed: { type: "string" },
    requests: { type: "string" },
    only: { type: "string" },
    "no-build": { type: "boolean" },
    holes: { type: "boolean" },
  } as const;
  const { values, tokens } = parseArgs({ args, options: known, strict: false, tokens: true });
  for (const token of tokens) {
    const isKnown = token.kind === "option" && token.name in known;
    const wantsValue = isKnown && known[token.name as keyof typeof known].type === "string";
    if (isKnown && wantsValue === (token.value !== undefined)) continue;
    throw new Error(
      `npm run attack has no option "${args[token.index]}". Its options are --seed=N, --requests=N, --only=I, --no-build and --holes.`,
    );
  }
  const text = (name: "seed" | "requests" | "only", fallback: string) => String(values[name] ?? fallback);
  return {
    seed: wholeNumber("seed", text("seed", String(Math.floor(Math.random() * 1e9))), 2 ** 31 - 1),
    requests: wholeNumber("requests", text("requests", "20000"), MAX_REQUESTS),
    only: values.only === undefined ? null : wholeNumber("only", text("only", ""), MAX_REQUESTS),
    builds: values["no-build"] !== true,
    holes: values.holes === true,
  };
}
