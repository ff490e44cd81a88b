// The state of one SQLite statement.
import { HogqlError } from '../error'
import type { SqliteSite, SqliteZone } from '../functions/spec'
import type { Expr } from '../ir'
import type { Context } from '../print/dialect'
import type { Parameters } from './parameters'
import { zoneOf } from '../types'
import { zoneNamed } from './zone'

/** The most time zones of a statement: each is some 2 KB in each of three parameters, and 14 ms of processor time for the first query that uses it. */
const MAX_TIME_ZONES = 20

export interface SqliteContext extends Context {
  parameters: Parameters
  once: SqliteSite['once']
  /**
   * Returns a time zone by name, or by default that of the expressions or the project's.
   * @throws HogqlError for an unknown name, and for more than MAX_TIME_ZONES names
   */
  zoneFor(exprs: readonly Expr[], name?: string): SqliteZone
}

/** @param timezone IANA name of the project's time zone */
export function stateOf(
  timezone: string,
  parameters: Parameters,
): Pick<SqliteContext, 'parameters' | 'once' | 'zoneFor'> {
  const once = letBinding()
  const bind = (text: string) => parameters.bind(text)
  const names = new Set<string>()
  return {
    parameters,
    once,
    zoneFor(exprs, name = zoneOf(exprs.map(({ type }) => type)) ?? timezone) {
      if (names.add(name).size > MAX_TIME_ZONES)
        throw new HogqlError(`A query may use at most ${MAX_TIME_ZONES} time zones in the built-in database.`)
      return zoneNamed(name, { bind, once })
    },
  }
}

/** Matches names and placeholders, which are short enough to be repeated. */
const NAME = /^[\w.?$"]+$/

/**
 * Returns a function that writes a value once, as the column of a subselect, when it is read several times. Names are unique in a
 * statement. A value that was itself written so becomes the source of the next subselect: as its expression, it would add to the depth,
 * which D1 limits. OFFSET keeps SQLite from copying the value into the outer expression.
 */
export function letBinding(): SqliteSite['once'] {
  let count = 0
  const sources = new Map<string, (name: string) => string>()
  return (sql, write) => {
    if (NAME.test(sql)) return write(sql)
    const name = `v${++count}`
    const source = sources.get(sql)?.(name) ?? `(SELECT ${sql} AS ${name})`
    const value = write(name)
    const bound = `(SELECT ${value} FROM ${source})`
    sources.set(bound, (outer) => `(SELECT ${value} AS ${outer} FROM ${source} LIMIT 1 OFFSET 0)`)
    return bound
  }
}

/** Writes a key of a table, `c0` or `k0`, as an identifier. Keys come from the catalogue: no text of a user comes here. */
export const columnName = (key: string): string =>
  /^[ck]\d+$/.test(key) ? key : `"${key.replaceAll('"', '')}"`
