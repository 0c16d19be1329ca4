import { expect, test } from "vitest";

import { testEnv } from "../../testing/client.ts";
import { deleteFiles, fileResponse, putFile } from "./files.ts";

const { FILES } = testEnv;

test("a file is served with its type, and nothing in it can run", async () => {
  await putFile(FILES, "checks/one", new TextEncoder().encode("<script>"), "application/pdf");
  const response = await fileResponse(FILES, "checks/one", { "Content-Disposition": "attachment" });
  expect(await response?.text()).toBe("<script>");
  expect(Object.fromEntries(response!.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": "attachment",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

test("a deleted file is gone, and deleting it again succeeds", async () => {
  await putFile(FILES, "checks/two", new Uint8Array([1]), "image/png");
  await deleteFiles(FILES, ["checks/two"]);
  await deleteFiles(FILES, ["checks/two", "checks/never"]);
  expect(await fileResponse(FILES, "checks/two")).toBeNull();
});
