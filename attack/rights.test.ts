import { expect, test } from "vitest";

import { RIGHTS, wrongAccess } from "./rights.ts";
import { allRoutes } from "./routes.ts";

test("the table lists every API route exactly once, and no other routes", () => {
  const routes = allRoutes().map(({ method, path }) => `${method} ${path}`);
  expect([...RIGHTS.keys()].toSorted()).toEqual(routes.toSorted());
});

const answer = (status: number, code = "") => ({ status, code });

test("a caller without the right must be refused by status; a caller with it must pass the gate", () => {
  const audit = "GET /api/super-admin/audit.csv";
  expect(wrongAccess(audit, "provider", answer(200))).toBe("answered 200, not 403");
  expect(wrongAccess(audit, "provider", answer(404))).toBe("answered 404, not 403");
  expect(wrongAccess(audit, "deactivated", answer(403))).toBe("answered 403, not 401");
  expect(wrongAccess(audit, "provider", answer(403, "forbidden"))).toBeNull();
  expect(wrongAccess(audit, "admin", answer(403, "forbidden"))).toBe("refused with 403 forbidden");
  expect(wrongAccess("POST /api/auth/login", "visitor", answer(401, "wrong_credentials"))).toBeNull();
  expect(wrongAccess("GET /api/user/bank-details", "impersonating", answer(200))).not.toBeNull();
  expect(wrongAccess("GET /admin/leads.data", "team", answer(200))).not.toBeNull();
  expect(wrongAccess("GET /dashboard", "visitor", answer(200))).toBeNull();
});

test("a route missing from the table is open to no caller", () => {
  expect(wrongAccess("GET /api/new", "admin", { status: 200, code: "" })).not.toBeNull();
});
