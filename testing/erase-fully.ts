import { erasePerson } from "../worker/operations/erasure/commands.ts";

const MAX_ROUNDS = 10;

/** Erases a person in as many rounds as the job needs. How many depends on what the sweeps have already done. */
export async function eraseFully(...args: Parameters<typeof erasePerson>): Promise<void> {
  for (let i = 0; i < MAX_ROUNDS; i++) if (!(await erasePerson(...args)).more) return;
  throw new Error(`The erasure needs more than ${MAX_ROUNDS} rounds`);
}
