/** The front-door Worker counts visits. */
import { expect, test } from "vitest";

import { sydneyDay } from "../../../contract/sydney-time.ts";
import { call, db } from "../../../testing/client.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { marketDays } from "../../tables.ts";

const NAVIGATION = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" };
const FROM_A_PAGE = { "Sec-Fetch-Site": "same-origin" };

test("page views by browsers and started forms are counted, and nothing else is stored", async () => {
  for (const path of ["/", "/services?utm_source=news", "/get-quote"])
    await call("GET", path, { headers: NAVIGATION });
  await call("GET", "/");
  await call("GET", "/dashboard", { headers: NAVIGATION });
  const { asAdmin } = await insertAdmin();
  await call("GET", "/", { headers: NAVIGATION, cookie: asAdmin.cookie });
  await call("GET", "/api/forms/start", { headers: FROM_A_PAGE });
  await call("GET", "/api/forms/start");
  await call("GET", "/api/forms/start", { headers: { ...FROM_A_PAGE, "User-Agent": "HeadlessChrome bot" } });
  expect(await db.select().from(marketDays)).toMatchObject([
    { day: sydneyDay(Date.now()), pages: 3, forms: 1 },
  ]);
});
