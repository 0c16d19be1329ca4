import { Hono } from "hono";
import * as z from "zod/mini";

import {
  CERTIFICATE_TYPES,
  certificateSchema,
  checkStatementSchema,
  MAX_CERTIFICATE_BYTES,
  type OwnChecks,
} from "../../../contract/checks.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { type FileKey, fileResponse } from "../../platform/files.ts";
import { jsonBody, params, query, readBytes } from "../../platform/http/body.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { access, notImpersonating } from "../access.ts";
import { stateCheck, uploadCertificate } from "./commands.ts";
import { type CheckRow, findOwnCheck, readChecks } from "./queries.ts";
import { sniffCertificate } from "./rules.ts";

export const checkById = z.object({ id: z.string().check(z.regex(/^chk_[0-9a-z]{8,40}$/)) });

const WRONG_TYPE = "Please send the certificate as a PDF, JPEG or PNG file.";

/** Returns a check's certificate as a download. @throws DomainError not_found */
export async function sendCertificate(c: AppContext, row: CheckRow | null): Promise<Response> {
  const type = row?.fileType as keyof typeof CERTIFICATE_TYPES | null;
  if (!row?.fileKey || !type) throw new DomainError("not_found", "The file has been deleted");
  const name = `${row.kind}-${row.id}.${CERTIFICATE_TYPES[type]}`;
  const headers = { "Content-Disposition": `attachment; filename="${name}"` };
  const response = await fileResponse(c.env.FILES, row.fileKey as FileKey, headers);
  if (!response) throw new DomainError("not_found", "The file has been deleted");
  return response;
}

/** Routes for a business's own checks. */
export const checkRoutes = new Hono<AppEnv>()
  .get("/", access.owner, async (c) => {
    const { isVerified, abn } = c.get("session").user;
    const checks = await readChecks(c.env.db, c.get("scope").businessId);
    return c.json<OwnChecks>({ isVerified, abn, checks });
  })

  .post("/", access.owner, notImpersonating, jsonBody(checkStatementSchema), async (c) => {
    await countTry(c.env.FORM_PER_ADDRESS, `checks ${c.get("scope").businessId}`);
    await stateCheck(c.env.db, c.get("scope"), c.req.valid("json"), c.get("act"));
    return c.json({ ok: true }, 201);
  })

  /** Reads the certificate as the raw body. Another site's form cannot declare these types. */
  .post("/insurance", access.owner, notImpersonating, query(certificateSchema), async (c) => {
    await countTry(c.env.FORM_PER_ADDRESS, `checks ${c.get("scope").businessId}`);
    const declared = (c.req.header("Content-Type") ?? "").toLowerCase();
    if (!Object.hasOwn(CERTIFICATE_TYPES, declared))
      throw new DomainError("unsupported_media_type", WRONG_TYPE);
    const bytes = await readBytes(c.req.raw, MAX_CERTIFICATE_BYTES);
    const type = sniffCertificate(bytes);
    if (!type) throw new DomainError("unsupported_media_type", WRONG_TYPE);
    await uploadCertificate(c.env, c.get("scope"), c.req.valid("query"), { bytes, type }, c.get("act"));
    return c.json({ ok: true }, 201);
  })

  .get("/:id/file", access.owner, params(checkById), async (c) =>
    sendCertificate(c, await findOwnCheck(c.env.db, c.get("scope"), c.req.valid("param").id)),
  );
