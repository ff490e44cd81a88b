// The context of the tests: a few variables, properties with types, a cohort.
import { HogqlError } from '../../../src/hogql/error'
import { parseQuery } from '../../../src/hogql/parser/parse'
import {
  parseFilterExpressions,
  resolve,
  type ResolveContext,
  type Resolved,
} from '../../../src/hogql/resolve/resolve'
import { writeQuery } from './notation'

const TYPES = { num: 'Numeric', flag: 'Boolean', when: 'DateTime', text: 'String' } as const

const CONTEXT: Omit<ResolveContext, 'sql'> = {
  timezone: 'UTC',
  variables: { s: 'String', n: 'Number', b: 'Boolean', l: 'List', d: 'Date' },
  propertyTypes: (_owner, name) =>
    Object.hasOwn(TYPES, name) ? TYPES[name as keyof typeof TYPES] : undefined,
  findCohort: (reference) =>
    reference === 'vip' ? 7 : typeof reference === 'number' && reference < 1000 ? reference : undefined,
}

export const resolved = async (sql: string, given: Partial<ResolveContext> = {}): Promise<Resolved> =>
  resolve(parseQuery(sql), {
    ...CONTEXT,
    ...given,
    filterExpressions: await parseFilterExpressions(given.filters, given.fragments),
    sql,
  })

/** All of a query, in the notation of `notation.ts`. */
export const written = async (sql: string, given: Partial<ResolveContext> = {}): Promise<string> =>
  writeQuery((await resolved(sql, given)).query)

/** The code of a rejection, its message, and the part of the text that it is about. */
export async function refusal(sql: string, given: Partial<ResolveContext> = {}): Promise<string> {
  try {
    return `none: ${await written(sql, given)}`
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    const place = error.start === null ? '' : sql.slice(error.start, error.end ?? error.start)
    return `${error.code}: ${error.message} @ ${place}`
  }
}
