// SELECTs with aggregates. Most are one SELECT; some need their rows in order first, or compute with aggregates in ways that SQLite only does
// in a SELECT around them.
import type { Expr, Order } from '../ir'
import { keyOf } from '../resolve/ir-walk'
import type { Aggregates, Context, RankRequest } from './context'
import type { GroupKey } from './group-keys'
import { AGGREGATE, WINDOW } from './once'
import { HogqlError } from '../error'

/** What a SELECT gives and is ordered by: all that may have aggregates in it. */
export interface Parts {
  items: string[]
  having: string | null
  orderBy: { sql: string; order: Order }[]
  limitBy: string[]
}

/** What is left to be put together. */
export interface Printed {
  parts: Parts
  /** FROM and WHERE. */
  rows: string
  /** GROUP BY and HAVING. */
  after: string
}

/** Calls that say what they are about again and again are shorter where it is a column. */
const LONGEST_CALL = 2000

const TOKENS = /⟦(\d+)⟧/g
const WINDOWS = /⟪(\d+)⟫/g

/**
 * Writes aggregates where they stand; null where that cannot be.
 * @param write writes the parts of the SELECT
 * @param rows what aggregates count is written in terms of
 */
export function sortByPlace(
  context: Context,
  write: (context: Context) => Parts,
  assemble: (parts: Parts) => Printed,
  rows: Context = { ...context, aggregates: null },
): Printed | null {
  const calls: string[] = []
  let isOrdered = false
  let isLong = false
  const aggregates: Aggregates = {
    rows,
    call: (sql) => {
      isLong ||= sql.length > LONGEST_CALL
      return `⟦${calls.push(sql) - 1}⟧`
    },
    rank: () => {
      isOrdered = true
      return null
    },
  }
  const parts = write({ ...context, aggregates })
  const all = textsOf(parts)
  if (isOrdered || isLong || all.some((sql) => isBuried(sql, AGGREGATE))) return null
  return assemble(mapParts(parts, (sql) => sql.replace(TOKENS, (_, index) => calls[Number(index)] ?? '')))
}

const textsOf = (parts: Parts): string[] => [
  ...parts.items,
  parts.having ?? '',
  ...parts.orderBy.map(({ sql }) => sql),
  ...parts.limitBy,
]

/**
 * Writes window functions where they stand.
 * @param write writes the parts of the SELECT
 * @throws HogqlError where they would stand in a subselect, whose rows they would then be about
 */
export function withWindows(context: Context, write: (context: Context) => Parts): Parts {
  const calls: string[] = []
  const parts = write({ ...context, window: (sql) => `⟪${calls.push(sql) - 1}⟫` })
  if (calls.length === 0) return parts
  if (textsOf(parts).some((sql) => isBuried(sql, WINDOW))) {
    throw new HogqlError(
      'What is made of this window function needs a SELECT of its own: put the window function into a subquery.',
    )
  }
  return mapParts(parts, (sql) => sql.replace(WINDOWS, (_, index) => calls[Number(index)] ?? ''))
}

/** Whether what a mark stands for is inside a subselect. */
function isBuried(sql: string, token: RegExp): boolean {
  if (!token.test(sql)) return false
  let depth = 0
  const selects: number[] = []
  for (const [mark] of sql.matchAll(/\((?:SELECT|WITH|VALUES)\b|\(|\)|[⟦⟪]\d+[⟧⟫]/g)) {
    if (mark === ')') {
      if (selects.at(-1) === depth) selects.pop()
      depth -= 1
    } else if (mark.startsWith('(')) {
      depth += 1
      if (mark !== '(') selects.push(depth)
    } else if (selects.length > 0 && token.test(mark)) {
      return true
    }
  }
  return false
}

const mapParts = (parts: Parts, change: (sql: string) => string): Parts => ({
  items: parts.items.map(change),
  having: parts.having && change(parts.having),
  orderBy: parts.orderBy.map(({ sql, order }) => ({ sql: change(sql), order })),
  limitBy: parts.limitBy.map(change),
})

/** What is grouped. */
export interface Rows {
  groupBy: readonly Expr[]
  /** The same, written. */
  keys: readonly GroupKey[]
  /** FROM and WHERE. */
  rows: string
  /** Whether what is read of a row is worth keeping apart from the row itself; see `projected.ts`. */
  isApart: boolean
}

/** What is grouped by, in terms of the columns `g0`, `g1`, … that hold it. */
export const knownKeys = (groupBy: readonly Expr[], table: string): Map<string, string> =>
  new Map(groupBy.map((expr, index) => [keyOf(expr), `${table}.g${index}`]))

/** For a SELECT of columns that SQLite is not to make one with the SELECT around it: which a LIMIT keeps it from. */
export const APART = ' LIMIT -1'

/** Writes aggregates as columns of a SELECT, and what is made of them in one around it. */
export function staged(from: Rows, context: Context, write: (context: Context) => Parts): Printed {
  const stage = new Stage(from, context)
  const parts = write(stage.outer)
  return { parts, rows: ` FROM (${stage.print()}) AS q${where(parts)}`, after: '' }
}

/**
 * Up to three SELECTs within each other: the rows with what the aggregates count, the same rows with their places in order, and the groups.
 * What aggregates count has to be columns where rows are put in order; otherwise the groups are made of the rows themselves.
 */
class Stage {
  readonly outer: Context
  readonly #values = new Columns('x')
  readonly #ranks = new Columns('r')
  readonly #calls = new Columns('a')
  readonly #keys: string[]

  constructor(
    readonly from: Rows,
    readonly context: Context,
  ) {
    this.#keys = from.keys.map((_, index) => `w.g${index}`)
    const known = knownKeys(from.groupBy, 'q')
    const aggregates: Aggregates = {
      rows: columnsOf(this.#values, context),
      call: (sql) => `q.${this.#calls.add(sql)}`,
      rank: (request) => this.#rank(request),
    }
    this.outer = { ...context, known, aggregates }
  }

  #rank({ counts, by, descending }: RankRequest) {
    const over = `PARTITION BY ${[...this.#keys, counts].join(', ')}`
    return {
      place: this.#ranks.add(`row_number() OVER (${over} ORDER BY ${by}${descending ? ' DESC' : ''})`),
      count: this.#ranks.add(`count(*) OVER (${over})`),
    }
  }

  print(): string {
    const { keys, rows, isApart } = this.from
    const listed = keys.map(({ sql }, index) => `${sql} AS g${index}`)
    const values = `SELECT ${[...listed, ...this.#values.list()].join(', ') || '1'}${rows}${isApart ? APART : ''}`
    const ranked =
      this.#ranks.size === 0 ? values : `SELECT *, ${this.#ranks.list().join(', ')} FROM (${values}) AS w`
    const by = keys.length > 0 ? ` GROUP BY ${this.#keys.join(', ')}` : ''
    const restored = keys.map(
      ({ restore }, index) => `${restore ? restore(`w.g${index}`) : `w.g${index}`} AS g${index}`,
    )
    return `SELECT ${[...restored, ...this.#calls.list()].join(', ') || '1'} FROM (${ranked}) AS w${by}`
  }
}

const where = ({ having }: Parts) => (having ? ` WHERE ${having}` : '')

/** A context in which every argument and condition of an aggregate becomes a column. */
export function columnsOf(values: Columns, context: Context): Context {
  const { writers } = context
  const inner = { ...context, aggregates: null, known: null }
  const columns = {
    ...writers,
    expr: (expr: Expr) => values.add(writers.expr(expr, inner)),
    condition: (expr: Expr) => values.add(writers.condition(expr, 'filter', inner)),
  }
  return { ...inner, writers: columns }
}

/** Columns of a SELECT that is made up while others are written: each text once. */
export class Columns {
  readonly #places = new Map<string, number>()
  constructor(readonly letter: string) {}

  get size(): number {
    return this.#places.size
  }

  /** The name of the column for some SQL. */
  add(sql: string): string {
    const known = this.#places.get(sql)
    if (known !== undefined) return `${this.letter}${known}`
    this.#places.set(sql, this.#places.size)
    return `${this.letter}${this.#places.size - 1}`
  }

  list(): string[] {
    return [...this.#places].map(([sql, place]) => `${sql} AS ${this.letter}${place}`)
  }
}
