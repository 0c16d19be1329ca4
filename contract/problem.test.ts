import { expect, test } from "vitest";
import * as z from "zod/mini";

import { leadRequestSchema } from "./leads.ts";
import { fieldErrors, PROBLEMS, readProblem } from "./problem.ts";

function errorsOf(schema: z.ZodMiniType, value: unknown) {
  return fieldErrors(schema.safeParse(value).error!.issues);
}

test("each field gets its first message", () => {
  const schema = z.object({
    name: z.string("Name is required").check(z.minLength(3, "Too short"), z.regex(/^A/, "Starts with A")),
    age: z.number("A number"),
  });
  expect(errorsOf(schema, { name: "x", age: "y" })).toEqual({ name: "Too short", age: "A number" });
  expect(errorsOf(schema, {})).toEqual({ name: "Name is required", age: "A number" });
});

test("nested fields are joined with dots, and the whole object has an empty name", () => {
  const schema = z.object({ list: z.array(z.string("Text")) });
  expect(errorsOf(schema, { list: ["a", 1] })).toEqual({ "list.1": "Text" });
  expect(Object.keys(errorsOf(schema, null))).toEqual([""]);
  expect(errorsOf(z.strictObject({}), { extra: 1, more: 2 })).toHaveProperty(["extra, more"]);
});

test("the quote form uses its own messages", () => {
  expect(errorsOf(leadRequestSchema, { serviceType: [], customerPhone: "12345" })).toMatchObject({
    customerName: "Customer name is required",
    customerPhone: "Phone number must be at least 10 digits",
    customerAddress: "Please provide a valid address",
    serviceType: "Please select at least one service",
  });
});

test("every problem has an HTTP error status and a title", () => {
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    expect(status, code).toBeGreaterThanOrEqual(400);
    expect(title, code).not.toBe("");
  }
});

test("a problem is read without its schema; any other value is null", () => {
  const problem = { title: "No", status: 400, detail: "Look again", code: "invalid_input" };
  const errors = { name: "Too short" };
  expect(readProblem({ ...problem, errors: { ...errors, odd: 1 } })).toEqual({ ...problem, errors });
  expect(readProblem(problem)).toEqual(problem);
  for (const other of [null, undefined, "no", 500, [], {}, { detail: "Oh" }, { detail: 1, code: "x" }]) {
    expect(readProblem(other)).toBeNull();
  }
});
