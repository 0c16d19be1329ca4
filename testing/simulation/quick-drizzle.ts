/**
 * Lets the database's library write the same statements with less work: a third of a schedule's time went
 * there. What kind of thing an object is depends on its class alone and is remembered; a statement is written
 * into one text rather than joined from hundreds of small ones; the columns of a whole table are named once.
 * Whatever is out of the ordinary is left to the library. Loaded before anything that builds a query.
 */
import { registerHooks } from "node:module";

/** Replacements in a file of the library, each of a text that stands in it once. */
type Change = { find: string; put: string };

const KINDS: Change = {
  find: "function is(value, type) {",
  put: `const kinds = new WeakMap();
function is(value, type) {
  if (!value || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  let known = kinds.get(prototype);
  if (!known) kinds.set(prototype, (known = new Map()));
  let answer = known.get(type);
  if (answer === undefined) known.set(type, (answer = isSlowly(value, type)));
  return answer;
}
function isSlowly(value, type) {`,
};

/** Everything a statement consists of but columns of other schemas, tables, views, enums and subqueries. */
const WRITING: Change = {
  find: "  buildQueryFromSourceParams(chunks, _config) {",
  put: `  buildQueryFromSourceParams(chunks, config) {
    if (config.prepareTyping || config.invokeSource) return this.buildSlowly(chunks, config);
    const quick = {
      ...config,
      inlineParams: config.inlineParams || this.shouldInlineParams,
      paramStartIndex: config.paramStartIndex || { value: 0 }
    };
    const out = { sql: "", params: [] };
    for (const chunk of chunks) this.writeChunk(chunk, quick, out);
    return out;
  }
  writeChunk(chunk, config, out) {
    if (chunk === void 0) return;
    const prototype = typeof chunk === "object" && chunk !== null ? Object.getPrototypeOf(chunk) : null;
    if (prototype === StringChunk.prototype) {
      const { value } = chunk;
      if (value.length === 1) out.sql += value[0];
      else out.sql += value.join("");
    } else if (prototype === Name.prototype) {
      out.sql += config.escapeName(chunk.value);
    } else if (prototype === SQL.prototype) {
      const inner = chunk.shouldInlineParams && !config.inlineParams ? { ...config, inlineParams: true } : config;
      for (const one of chunk.queryChunks) this.writeChunk(one, inner, out);
    } else if (prototype === Array.prototype) {
      out.sql += "(";
      for (let i = 0; i < chunk.length; i++) {
        if (i > 0) out.sql += ", ";
        this.writeChunk(chunk[i], config, out);
      }
      out.sql += ")";
    } else if (prototype === Param.prototype && !config.inlineParams && !is(chunk.value, Placeholder)) {
      const mapped = chunk.value === null ? null : chunk.encoder.mapToDriverValue(chunk.value);
      if (is(mapped, SQL)) this.writeChunk(mapped, config, out);
      else writeParam(mapped, config, out);
    } else if (prototype === null && !config.inlineParams) {
      // A plain value; functions are nobody's.
      if (typeof chunk === "function") this.writeSlowly(chunk, config, out);
      else writeParam(chunk, config, out);
    } else if (prototype !== null && is(chunk, Column) && chunk.table[Table.Symbol.Schema] === void 0) {
      out.sql += config.escapeName(chunk.table[Table.Symbol.Name]) + "." + config.escapeName(config.casing.getColumnCasing(chunk));
    } else this.writeSlowly(chunk, config, out);
  }
  writeSlowly(chunk, config, out) {
    const { sql: text, params, typings } = this.buildSlowly([chunk], config);
    out.sql += text;
    if (params.length > 0) out.params.push(...params);
    if (typings?.length) (out.typings ??= []).push(...typings);
  }
  buildSlowly(chunks, _config) {`,
};

const PARAM: Change = {
  find: "class StringChunk {",
  put: `function writeParam(value, config, out) {
  out.sql += config.escapeParam(config.paramStartIndex.value++, value);
  out.params.push(value);
  (out.typings ??= []).push("none");
}
class StringChunk {`,
};

const COLUMNS: Change = {
  find: "  buildSelection(fields, { isSingleTable = false } = {}) {",
  put: `  buildSelection(fields, options = {}) {
    const first = fields[0]?.field;
    if (!is(first, Column) || fields.length < 4) return this.buildSelectionSlowly(fields, options);
    let known = selections.get(first);
    if (!known) selections.set(first, (known = []));
    const isSingleTable = options.isSingleTable === true;
    const isSame = (one) =>
      one.isSingleTable === isSingleTable && one.columns.length === fields.length &&
      fields.every(({ field }, i) => field === one.columns[i]);
    let found = known.find(isSame);
    if (!found) {
      const columns = fields.map(({ field }) => field);
      const selection = this.buildSelectionSlowly(fields, options);
      if (!columns.every((column) => is(column, Column))) return selection;
      const { sql: text } = this.sqlToQuery(selection);
      known.push((found = { columns, isSingleTable, text }));
    }
    return sql.raw(found.text);
  }
  buildSelectionSlowly(fields, { isSingleTable = false } = {}) {`,
};

const SELECTIONS: Change = {
  find: "class SQLiteDialect {",
  put: "const selections = new WeakMap();\nclass SQLiteDialect {",
};

const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "/drizzle-orm/entity.js": [KINDS],
  "/drizzle-orm/sql/sql.js": [PARAM, WRITING],
  "/drizzle-orm/sqlite-core/dialect.js": [SELECTIONS, COLUMNS],
};

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const changes = Object.entries(CHANGES).find(([file]) => url.endsWith(file))?.[1];
    if (!changes) return loaded;
    let source = String(loaded.source);
    for (const { find, put } of changes) {
      if (source.split(find).length !== 2)
        throw new Error("The library has changed: quick-drizzle.ts fits no more.");
      source = source.replace(find, () => put);
    }
    return { ...loaded, source };
  },
});
