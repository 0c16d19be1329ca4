/**
 * Patches drizzle so that it writes the same statements faster. Building statements took a third of a schedule's
 * time. An object's kind depends only on its class and is cached. A statement is written into one text and not
 * joined from hundreds of small ones. A whole table's columns are named once. Unusual cases are left to the library.
 * Load this before any module that builds a query.
 */
import { registerHooks } from "node:module";

/** A replacement in one of the library's files. Its text occurs there exactly once. */
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

/** Handles every part of a statement except columns of other schemas, tables, views, enums and subqueries. */
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
    } else if (prototype === null) this.writeSlowly(chunk, config, out);
    else {
      const kind = chunkKind(prototype, chunk);
      const table = kind === "column" ? chunk.table : chunk;
      if (kind === "query") {
        const omits = chunk.shouldOmitSQLParens?.();
        if (!omits) out.sql += "(";
        this.writeChunk(chunk.getSQL(), config, out);
        if (!omits) out.sql += ")";
      } else if (kind === "other" || table[Table.Symbol.Schema] !== void 0) this.writeSlowly(chunk, config, out);
      else {
        out.sql += config.escapeName(table[Table.Symbol.Name]);
        if (kind === "column") out.sql += "." + config.escapeName(config.casing.getColumnCasing(chunk));
      }
    }
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
const chunkKinds = new WeakMap();
function chunkKind(prototype, chunk) {
  let kind = chunkKinds.get(prototype);
  if (!kind) chunkKinds.set(prototype, (kind = chunkKindSlowly(chunk)));
  return kind;
}
function chunkKindSlowly(chunk) {
  if (is(chunk, Table)) return "table";
  if (is(chunk, Column)) return "column";
  const own = [View, Param, Placeholder, SQL.Aliased, Subquery];
  const isQuery = !own.some((type) => is(chunk, type)) && "_prepare" in chunk && isSQLWrapper(chunk);
  return isQuery ? "query" : "other";
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

const CASINGS: Change = {
  find: "  getColumnCasing(column) {",
  put: `  getColumnCasing(column) {
    if (!column.keyAsName) return column.name;
    let names = casings.get(this.convert);
    if (!names) casings.set(this.convert, (names = new WeakMap()));
    let name = names.get(column);
    if (name === undefined) names.set(column, (name = this.getColumnCasingSlowly(column)));
    return name;
  }
  getColumnCasingSlowly(column) {`,
};

const CASINGS_KEPT: Change = {
  find: "class CasingCache {",
  put: "const casings = new WeakMap();\nclass CasingCache {",
};

/** A table's own columns are added once, in the library's order. */
const FIELDS: Change = {
  find: "function orderSelectedFields(fields, pathPrefix) {",
  put: `const ordered = new WeakMap();
const tableOf = new WeakMap();
function isAllOf(fieldsList, table) {
  return tableOf.get(fieldsList) === table;
}
function orderSelectedFields(fields, pathPrefix) {
  if (pathPrefix) return orderSlowly(fields, pathPrefix);
  const known = ordered.get(fields);
  if (known) return known;
  const list = orderSlowly(fields, pathPrefix);
  const table = list[0]?.field?.table;
  if (table && table[Table.Symbol.Columns] === fields) {
    ordered.set(fields, Object.freeze(list));
    tableOf.set(list, table);
  }
  return list;
}
function orderSlowly(fields, pathPrefix) {`,
};

const ROWS: Change = {
  find: "function mapResultRow(columns, row, joinsNotNullableMap) {",
  put: `function mapResultRow(columns, row, joinsNotNullableMap) {
  if (joinsNotNullableMap || !tableOf.has(columns)) return mapSlowly(columns, row, joinsNotNullableMap);
  const result = {};
  for (let i = 0; i < columns.length; i++) {
    const { path, field } = columns[i];
    const value = row[i];
    result[path[0]] = value === null ? null : field.mapFromDriverValue(value);
  }
  return result;
}
function mapSlowly(columns, row, joinsNotNullableMap) {`,
};

const FIELDS_SHARED: Change = { find: "export {\n", put: "export {\n  isAllOf,\n" };

const FIELDS_USED: Change = {
  find: "import { orderSelectedFields }",
  put: "import { isAllOf, orderSelectedFields }",
};

/** A query that begins with a table's own columns never changes their list, so it is not copied. */
const FIELDS_KEPT: Change = {
  find: "      fields: { ...fields },",
  put: "      fields: getTableColumns(table) === fields ? fields : { ...fields },",
};

/** A table's own columns need no check that they belong to the table. */
const FIELDS_TRUSTED: Change = {
  find: "    for (const f of fieldsList) {\n      if (is(f.field, Column) && getTableName",
  put: "    for (const f of isAllOf(fieldsList, table) ? [] : fieldsList) {\n      if (is(f.field, Column) && getTableName",
};

const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  "/drizzle-orm/entity.js": [KINDS],
  "/drizzle-orm/sql/sql.js": [PARAM, WRITING],
  "/drizzle-orm/sqlite-core/dialect.js": [SELECTIONS, COLUMNS, FIELDS_USED, FIELDS_TRUSTED],
  "/drizzle-orm/sqlite-core/query-builders/select.js": [FIELDS_KEPT],
  "/drizzle-orm/casing.js": [CASINGS_KEPT, CASINGS],
  "/drizzle-orm/utils.js": [FIELDS, ROWS, FIELDS_SHARED],
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
