// UNION, INTERSECT and EXCEPT.
import { momentOf } from '../functions/sqlite-values'
import type { Query, SetOperation, SetOperator } from '../ir'
import type { Type } from '../types'
import { printOrder } from './calls'
import type { Context } from './context'

/** D1 takes no more than this many in one compound. */
const MOST_TERMS = 5

/** A set operation, from left to right. @param page its LIMIT and OFFSET, written already */
export function printSet(set: SetOperation, page: string, context: Context): string {
  const types = set.items.map(({ type }) => type)
  let whole = { sql: leg(set.initial, types, context), terms: 1 }
  for (const { operator, query } of set.rest) {
    whole = combined(whole, operator, leg(query, types, context), types)
  }
  const order = set.orderBy.map((each) => printOrder(each, context.writers.expr(each.expr, context)))
  const orderBy = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : ''
  return `SELECT ${list(types)} FROM (${whole.sql}) AS u${orderBy}${page}`
}

const list = (types: readonly Type[]): string => types.map((_, index) => `c${index}`).join(', ')

/** One query of a set operation: its columns are those of the whole, a date where moments are due becomes one. */
function leg(query: Query, types: readonly Type[], context: Context): string {
  const columns = query.items.map(({ type }, index) => {
    const isMoment = types[index]?.kind === 'datetime'
    return isMoment && type.kind === 'date'
      ? `${momentOf(`c${index}`, type, context)} AS c${index}`
      : `c${index}`
  })
  return `SELECT ${columns.join(', ')} FROM (${context.writers.query(query, context)})`
}

interface Compound {
  sql: string
  terms: number
}

const WORDS = {
  'union all': 'UNION ALL',
  'union distinct': 'UNION',
  'intersect distinct': 'INTERSECT',
  'except distinct': 'EXCEPT',
} as const satisfies Partial<Record<SetOperator, string>>

function combined(before: Compound, operator: SetOperator, next: string, types: readonly Type[]): Compound {
  switch (operator) {
    case 'union all':
    case 'union distinct':
    case 'intersect distinct':
    case 'except distinct': {
      const isFull = before.terms === MOST_TERMS
      const sql = isFull ? `SELECT ${list(types)} FROM (${before.sql})` : before.sql
      return { sql: `${sql} ${WORDS[operator]} ${next}`, terms: isFull ? 2 : before.terms + 1 }
    }
    case 'intersect':
    case 'except': {
      const word = operator === 'intersect' ? 'INTERSECT' : 'EXCEPT'
      const sql = `SELECT ${list(types)} FROM (${counted(before.sql, types)} ${word} ${counted(next, types)})`
      return { sql, terms: 1 }
    }
  }
}

/** Rows that are alike, told apart by a number: so that of three and two of them, two are in both, and one is left. */
const counted = (sql: string, types: readonly Type[]): string =>
  `SELECT ${list(types)}, row_number() OVER (PARTITION BY ${list(types)}) AS n FROM (${sql})`
