// From the text of a query to what the engines run: parse, resolve, print for each of them.
import type { CompiledQuery, Dialect } from './compiled'
import { printClickhouse } from './clickhouse/print'
import { HogqlError } from './error'
import type { Selection } from './parser/ast'
import { parseQuery } from './parser/parse'
import { resolve, type ResolveContext, type Resolved } from './resolve/resolve'
import { printSqlite } from './sqlite/print'

export interface ParsedQuery {
  sql: string
  tree: Selection
}

export type CompileContext = Omit<ResolveContext, 'sql'>

export interface Compiled {
  /** By engine; one that cannot run the query has the reason instead. */
  queries: Record<Dialect, CompiledQuery | { refusal: string }>
  /** What the rows hold, whichever engine gives them. */
  columns: Resolved['columns']
  /** The same, for a query that reads them from where they are kept. */
  kept: Resolved['kept']
  /** Code names of the variables that it reads. */
  variables: string[]
}

/**
 * Parses a query. `placeholdersOf` and `propertiesOf` say of its tree what has to be known to compile it.
 * @throws HogqlError
 */
export async function parseHogql(sql: string): Promise<ParsedQuery> {
  return { sql, tree: await parseQuery(sql) }
}

/**
 * Compiles a parsed query for every engine.
 * @throws HogqlError for a query that none of them could run, whatever the engine; what one of them alone has nothing for is its refusal
 */
export function compileParsed({ sql, tree }: ParsedQuery, context: CompileContext): Compiled {
  const resolved = resolve(tree, { ...context, sql })
  const print = (printer: typeof printSqlite | typeof printClickhouse) =>
    orRefusal(() => printer(resolved, { timezone: context.timezone }))
  return {
    queries: { sqlite: print(printSqlite), clickhouse: print(printClickhouse) },
    columns: resolved.columns,
    kept: resolved.kept,
    variables: resolved.variables,
  }
}

/** Both in one. @throws HogqlError as they do */
export async function compileHogql(sql: string, context: CompileContext): Promise<Compiled> {
  return compileParsed(await parseHogql(sql), context)
}

function orRefusal(print: () => CompiledQuery): CompiledQuery | { refusal: string } {
  try {
    return print()
  } catch (error) {
    if (error instanceof HogqlError) return { refusal: error.message }
    throw error
  }
}
