import { expect, test } from "vitest";

import { findWrongAccess } from "./rights.ts";

const makeResponse = (status: number, code = "") => ({ status, code });

test("a caller without the right must be refused by status; a caller with it must pass the gate", () => {
  const audit = "GET /api/super-admin/audit.csv";
  expect(findWrongAccess(audit, "provider", makeResponse(200))).toBe("answered 200, not 403");
  expect(findWrongAccess(audit, "provider", makeResponse(404))).toBe("answered 404, not 403");
  expect(findWrongAccess(audit, "deactivated", makeResponse(403))).toBe("answered 403, not 401");
  expect(findWrongAccess(audit, "provider", makeResponse(403, "forbidden"))).toBeNull();
  expect(findWrongAccess(audit, "admin", makeResponse(403, "forbidden"))).toBe("refused with 403 forbidden");
  expect(
    findWrongAccess("POST /api/auth/login", "visitor", makeResponse(401, "wrong_credentials")),
  ).toBeNull();
  expect(findWrongAccess("GET /api/user/bank-details", "impersonating", makeResponse(200))).not.toBeNull();
  expect(findWrongAccess("GET /admin/leads.data", "team", makeResponse(200))).not.toBeNull();
  expect(findWrongAccess("GET /dashboard", "visitor", makeResponse(200))).toBeNull();
});

test("a route missing from the table is open to no caller", () => {
  expect(findWrongAccess("GET /api/new", "admin", { status: 200, code: "" })).not.toBeNull();
});
