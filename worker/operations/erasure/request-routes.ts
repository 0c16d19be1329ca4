import { Hono } from "hono";

import { type DigitsAnswer, requestErasureSchema } from "../../../contract/request-links.ts";
import { access } from "../../identity/access.ts";
import { checkLastDigits } from "../../leads/request-links/digit-commands.ts";
import { findErasableRequest } from "../../leads/request-links/queries.ts";
import { beginAct } from "../../leads/request-links/routes.ts";
import type { AppEnv } from "../../platform/app.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { eraseForCustomer } from "./request-commands.ts";

/** The customer of a request deletes their data. The other routes of a request are in leads/request-links. */
export const requestErasureRoutes = new Hono<AppEnv>().post(
  "/erase",
  access.anyone,
  jsonBody(requestErasureSchema),
  async (c) => {
    const { token, lastDigits } = c.req.valid("json");
    await beginAct(c, token);
    const found = await findErasableRequest(c.env.db, token);
    if (!found) return c.json<DigitsAnswer>({ outcome: "closed" });
    const triesLeft = await checkLastDigits(c.env.db, found, lastDigits, Date.now());
    if (triesLeft === 0) return c.json<DigitsAnswer>({ outcome: "call_us" });
    if (triesLeft !== "right") return c.json<DigitsAnswer>({ outcome: "wrong_digits", triesLeft });
    return c.json<DigitsAnswer>({ outcome: await eraseForCustomer(c.env, found, Date.now()) });
  },
);
