// Statements whose SQL Drizzle builds once an isolate: building it again takes longer than the rest of what a write computes.
import { is, Param, Placeholder } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { drizzle } from 'drizzle-orm/d1'
import type { Database } from './database'
import { decoderOf, type Selected } from './decoder-of'

export type Statement<Result> = BatchItem<'sqlite'> & PromiseLike<Result>

/** The members of a statement that a batch uses, and that Drizzle's types leave out. */
interface Prepared {
  getQuery(): { sql: string; params: unknown[] }
  mapResult(response: unknown, isFromBatch?: boolean): unknown
  /** Fields of a select. */
  fields?: readonly Field[]
}

interface Field {
  path: readonly string[]
  field: Selected
}

const preparedOf = (statement: object): Prepared => (statement as { _prepare(): Prepared })._prepare()

/** Builds statements, and runs none. */
const builder = drizzle({ prepare: () => null } as unknown as D1Database)

/**
 * @param build the statement, with a `sql.placeholder()` for each value of `values`. A column encodes its value, unless it is null.
 * @returns the function that makes the statement for a handle and values.
 */
export function prepareOnce<Values extends object, Result>(
  build: (db: Database) => Statement<Result>,
): (db: Database, values: Values) => Statement<Result> {
  let known:
    | { text: string; valuesOf(values: Values): unknown[]; mapResult: Prepared['mapResult'] }
    | undefined
  return (db, values) => {
    if (!known) {
      const prepared = preparedOf(build(builder))
      const { sql: built, params } = prepared.getQuery()
      const text = withComputedLimits(built)
      const parameters = params.map(parameterOf)
      known = {
        text,
        valuesOf: (given) => parameters.map((parameter) => parameter(given as Record<string, unknown>)),
        mapResult: mapperOf(prepared),
      }
    }
    const { text, valuesOf, mapResult } = known
    const params = valuesOf(values)
    const stmt = (db as Database & { $client: D1Database }).$client.prepare(text)
    const statement = {
      _prepare: () => ({ stmt, getQuery: () => ({ sql: text, params }), mapResult }),
      // oxlint-disable-next-line unicorn/no-thenable -- Drizzle's statements run when they are awaited.
      then: (...handlers: Parameters<Promise<Result>['then']>) =>
        db
          .batch([statement as unknown as Statement<Result>])
          .then(([result]) => result as Result)
          .then(...handlers),
    }
    return statement as unknown as Statement<Result>
  }
}

/**
 * SQLite plans by the value of a parameter that is a whole LIMIT or OFFSET, so it plans the statement again whenever one is bound. That takes
 * longer than a page of flags.
 */
const withComputedLimits = (text: string): string => text.replaceAll(/\b(limit|offset) \?/gi, '$1 (? + 0)')

/** Returns a function that maps rows like Drizzle, without inspecting each field of each row. */
function mapperOf(prepared: Prepared): Prepared['mapResult'] {
  const { fields } = prepared
  if (!fields?.every(({ path }) => path.length === 1))
    return (response, isFromBatch) => prepared.mapResult(response, isFromBatch)
  const columns = fields.map(({ path, field }) => ({ name: path[0]!, decoder: decoderOf(field) }))
  return (response) =>
    (response as D1Result<Record<string, unknown>>).results.map((row) => {
      const mapped: Record<string, unknown> = {}
      let index = 0
      for (const key in row) {
        const { name, decoder } = columns[index++]!
        const value = row[key]
        mapped[name] = value === null ? null : decoder.mapFromDriverValue(value)
      }
      return mapped
    })
}

function parameterOf(param: unknown): (values: Record<string, unknown>) => unknown {
  const encoder = is(param, Param) ? param.encoder : null
  const placeholder = is(param, Param) ? param.value : param
  if (!is(placeholder, Placeholder)) return () => param
  return (values) => {
    const value = values[placeholder.name]
    if (value === undefined) throw new Error(`no value for the placeholder ${placeholder.name}`)
    return value === null || encoder === null ? value : encoder.mapToDriverValue(value)
  }
}
