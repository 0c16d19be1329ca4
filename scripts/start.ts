/** `npm start`: builds the product and serves it in the Workers runtime on this machine, with a demo world. */
import { mainUntilStopped } from "./command.ts";
import { greet, serveLocally } from "./serve.ts";

await mainUntilStopped(async () => greet(await serveLocally({ name: "start" })));
