/** `npm start`: builds the product and serves it for real on this machine, with a demo world. */
import { greet, serveLocally } from "./serve.ts";

greet(await serveLocally());
