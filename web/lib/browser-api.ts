import { hc } from "hono/client";

import type { Api } from "../../worker/api.ts";
import type { ApiClient } from "./api.ts";

let client: ApiClient | undefined;

/** Returns the browser's API client. Creates it on first use, because the server renders these modules too. */
export function browserApi(): ApiClient {
  client ??= hc<Api>(location.origin);
  return client;
}

/** Returns the client of the API for super admins. */
export const adminApi = () => browserApi().api["super-admin"];
