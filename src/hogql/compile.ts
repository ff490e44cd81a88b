// Compiles a query's text for every engine.
import type { CompiledQuery, Dialect, Refusal } from './compiled'
import { printClickhouse } from './clickhouse/print'
import { HogqlError } from './error'
import type { Selection } from './parser/ast'
import { parseQuery } from './parser/parse'
import { parseFilterExpressions, resolve, type ResolveContext, type Resolved } from './resolve/resolve'
import { printSqlite } from './sqlite/print'

export interface ParsedQuery {
  sql: string
  tree: Selection
}

export type CompileContext = Omit<ResolveContext, 'sql'>

export interface Compiled {
  /** The compiled query for each engine, or why the engine cannot run it. */
  queries: Record<Dialect, CompiledQuery | Refusal>
  /** The result columns, for every engine. */
  columns: Resolved['columns']
  /** The result columns as those of a materialized table. */
  kept: Resolved['kept']
  /** Code names of the variables that the query reads. */
  variables: string[]
  warnings: Resolved['warnings']
}

/**
 * Parses a query. Compiling it needs facts about the names that `placeholdersOf` and `propertiesOf` return.
 * @throws HogqlError
 */
export function parseHogql(sql: string): ParsedQuery {
  return { sql, tree: parseQuery(sql) }
}

/** @throws HogqlError for a query that no engine can run; what one engine does not support is in its `refusal` */
export function compileParsed({ sql, tree }: ParsedQuery, context: CompileContext): Compiled {
  const resolved = resolve(tree, { ...context, sql })
  const print = (printer: typeof printSqlite | typeof printClickhouse) =>
    orRefusal(() => printer(resolved, { timezone: context.timezone }))
  return {
    queries: { sqlite: print(printSqlite), clickhouse: print(printClickhouse) },
    columns: resolved.columns,
    kept: resolved.kept,
    variables: resolved.variables,
    warnings: resolved.warnings,
  }
}

/** @throws HogqlError as `parseHogql` and `compileParsed` do */
export async function compileHogql(sql: string, context: CompileContext): Promise<Compiled> {
  const [parsed, filterExpressions] = [
    parseHogql(sql),
    await parseFilterExpressions(context.filters, context.fragments),
  ]
  return compileParsed(parsed, { ...context, filterExpressions })
}

function orRefusal(print: () => CompiledQuery): CompiledQuery | Refusal {
  try {
    return print()
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    const { message: refusal, code } = error
    return code === 'query_too_expensive' ? { refusal, code } : { refusal }
  }
}
