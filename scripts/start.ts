/** `npm start`: builds the product and serves it locally in the Workers runtime, with a demo world. */
import { mainUntilStopped } from "./command.ts";
import { greet, serveLocally } from "./serve.ts";

await mainUntilStopped(async () => greet(await serveLocally({ name: "start" })));
