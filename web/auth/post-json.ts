import { type Problem, readProblem } from "../../contract/problem.ts";

type JsonResult = { ok: true; body: unknown } | { ok: false; problem: Problem | null };

/**
 * Posts JSON to our API from an island, without bundling the typed client.
 * @returns the problem if the API refused the request; a null problem without a readable response (offline)
 */
export async function postJson(path: `/api/${string}`, body: object): Promise<JsonResult> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (response.ok) return { ok: true, body: answer };
    return { ok: false, problem: readProblem(answer) };
  } catch {
    return { ok: false, problem: null };
  }
}
