/** `npm start`: builds the product and serves it locally in the Workers runtime, with a demo world. */
import { runUntilStopped } from "./command.ts";
import { printWelcome, serveLocally } from "./serve.ts";

await runUntilStopped(async () => printWelcome(await serveLocally({ name: "start" })));
