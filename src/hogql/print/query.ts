// Writes queries: WITH, SELECT, set operations and their sources.
import { HogqlError } from '../error'
import type { ComputedColumn, Cte, Expr, Query, Select, Source, Window } from '../ir'
import { keyOf } from '../ir-walk'
import type { Context, Dialect, Page, Recursive } from './dialect'
import { list, printCondition, printExpr, printOrder, printWindow } from './expression'

/**
 * Starts a statement.
 * @param own what the dialect's own writers need in the context
 * @throws HogqlError from the context's functions, as soon as the statement is too long
 */
export function startStatement<C extends Context>(
  dialect: Dialect<C>,
  own: Omit<C, Exclude<keyof Context, 'parameters'>>,
): C {
  const measure = () =>
    measureText(dialect.maxText, () => {
      throw new HogqlError(
        `The query is too long for ${dialect.engine} once it is translated: ${dialect.shorter}.`,
      )
    })
  const { begin, end } = measure()
  let windows = nameWindows(measure())
  const context = {
    ...own,
    expr: (expr: Expr) => end(begin(), printExpr(expr, dialect, context)),
    condition: (expr: Expr, place: Parameters<Context['condition']>[1]) =>
      end(begin(), printCondition(expr, place, dialect, context)),
    query: (query: Query, page = pageOf(query)) => end(begin(), printPaged(query, page, dialect, context)),
    window: (window: Window) => windows.nameOf(end(begin(), printWindow(window, dialect, context))),
    select: (write: Parameters<Context['select']>[0]) => {
      const outer = windows
      windows = nameWindows(measure())
      const sql = write(windows.definitions)
      windows = outer
      return sql
    },
    source: (source: Source) => end(begin(), `${rowsOf(source, dialect, context)} AS ${sourceName(source)}`),
  } as C
  return context
}

const pageOf = ({ limit, offset }: Pick<Query, 'limit' | 'offset'>): Page => ({
  limit: limit === null ? null : String(Math.trunc(limit)),
  offset: offset === 0 ? null : String(Math.trunc(offset)),
})

/** Writes a query with `page` in place of its own LIMIT and OFFSET. */
function printPaged<C extends Context>(query: Query, page: Page, dialect: Dialect<C>, context: C): string {
  const ctes = query.ctes.map((cte) =>
    isRecursive(cte) ? dialect.recursion(cte, context) : `cte${cte.id} AS (${context.query(cte.query)})`,
  )
  const word = query.ctes.some(isRecursive) ? 'WITH RECURSIVE' : 'WITH'
  const withCtes = ctes.length > 0 ? `${word} ${ctes.join(', ')} ` : ''
  if (query.kind === 'select') return withCtes + printSelect(query, page, dialect, context)
  const compound = dialect.compound(query, context)
  const limits = pageClause(page, dialect)
  return `${withCtes}SELECT ${columnList(query)} FROM (${compound}) AS u${limits}`
}

const isRecursive = (cte: Cte): cte is Recursive => cte.steps !== undefined

export const levelsName = (cte: number): string => `levels${cte}`

/**
 * Writes a step of a recursive CTE.
 * @param write `item` completes the SQL of an item; `level` makes the number of the level from that of the level before
 */
export function printStep<C extends Context>(
  step: Select,
  write: { item(sql: string, expr: Expr): string; level(name: string): string },
  dialect: Dialect<C>,
  context: C,
): string {
  if (step.from?.source.kind !== 'level') throw new Error('a step begins with the level before')
  const level = `${write.level(`${sourceName(step.from.source)}.level`)} AS level`
  return printSelect(step, pageOf(step), dialect, context, { write: write.item, others: [level] })
}

export const columnList = ({ items }: Pick<Query, 'items'>): string =>
  items.map((_, index) => `c${index}`).join(', ')

export const sourceName = ({ id }: Pick<Source, 'id'>): string => `s${id}`

const clause = (word: string, text: string | null) => (text ? ` ${word} ${text}` : '')

const pageClause = <C extends Context>({ limit, offset }: Page, { noLimit }: Dialect<C>) =>
  clause('LIMIT', limit ?? (offset === null ? null : noLimit)) + clause('OFFSET', offset)

function printSelect<C extends Context>(
  select: Select,
  page: Page,
  dialect: Dialect<C>,
  context: C,
  { write, others }: { write(sql: string, expr: Expr): string; others: readonly string[] } = AS_THEY_ARE,
): string {
  // FROM is written first, because the SQL of a column may depend on its source.
  const from = select.from && printFrom(select.from, dialect, context)
  return context.select((windows) => {
    const values = select.items.map(({ expr }) => context.expr(expr))
    const items = select.items.map(({ expr }, index) => `${write(values[index]!, expr)} AS c${index}`)
    const term = (expr: Expr) => {
      const index = select.items.findIndex(
        (item, at) => dialect.hasPosition(values[at]!) && keyOf(item.expr) === keyOf(expr),
      )
      return index < 0 ? dialect.key(context.expr(expr)) : String(index + 1)
    }
    const before = [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${[...items, ...others].join(', ')}`,
      clause('FROM', from),
      clause('WHERE', select.where && context.condition(select.where, 'filter')),
      clause('GROUP BY', keysText(select.groupBy.map(term), select.groupingSets)),
      clause('HAVING', select.having && context.condition(select.having, 'filter')),
    ]
    const after = [
      clause('ORDER BY', printOrder(select.orderBy, dialect, term)),
      select.limitBy ? limitBy(select.limitBy, context) : '',
      pageClause(page, dialect),
    ]
    return [...before, clause('WINDOW', windows()), ...after].join('')
  })
}

const AS_THEY_ARE = { write: (sql: string) => sql, others: [] }

function keysText(keys: readonly string[], sets: Select['groupingSets']): string {
  if (!sets) return keys.join(', ')
  const written = sets.sets.map((set) => `(${set.map((key) => keys[key]).join(', ')})`)
  return `${sets.word} (${written.join(', ')})`
}

const limitBy = ({ count, offset, by }: NonNullable<Select['limitBy']>, context: Context) =>
  ` LIMIT ${Math.trunc(count)} OFFSET ${Math.trunc(offset)} BY ${list(by, context)}`

const printFrom = <C extends Context>(
  { source, joins }: NonNullable<Select['from']>,
  dialect: Dialect<C>,
  context: C,
): string => [context.source(source), ...joins.map((join) => dialect.join(join, source, context))].join(' ')

function rowsOf<C extends Context>(source: Source, dialect: Dialect<C>, context: C): string {
  switch (source.kind) {
    case 'table':
      return `(${dialect.table(source, context)})`
    case 'query': {
      const page = pageOf(source.query)
      const limit = page.limit ?? (source.apart ? dialect.noLimit : null)
      return `(${context.query(source.query, { ...page, limit })})`
    }
    case 'cte':
      return `cte${source.cte}`
    case 'level':
      return levelsName(source.cte)
    case 'stored':
    case 'elements':
    case 'numbers':
      return dialect.source(source, context)
  }
}

/**
 * Writes a table with the columns that expressions compute from its others.
 * @param write writes a SELECT of the columns that the table has
 */
export function withComputed<C extends Context>(
  columns: ReadonlySet<string>,
  computed: ReadonlyMap<string, ComputedColumn>,
  context: C,
  columnName: (key: string) => string,
  write: (stored: ReadonlySet<string>) => string,
): string {
  const stored = new Set([...columns].filter((key) => !computed.has(key)))
  for (const { reads } of computed.values()) for (const key of reads) stored.add(key)
  return [...computed].reduce(
    (rows, [key, { expr, source }]) =>
      `SELECT *, ${context.expr(expr)} AS ${columnName(key)} FROM (${rows}) AS ${sourceName({ id: source })}`,
    write(stored),
  )
}

/**
 * Measures the text of a statement while it is written. Functions write an argument several times, and nested ones repeat it exponentially:
 * a text that is measured only when it is complete may exceed the memory.
 */
interface TextMeasure {
  /**
   * Begins a part.
   * @returns the argument for `end`
   */
  begin(): number
  /**
   * Ends a part with its text.
   * @throws when the parts that are written and not yet inside a larger one are too long together
   */
  end(before: number, sql: string): string
}

/** @param fail throws the error for a text of more than `maxText` characters */
function measureText(maxText: number, fail: () => never): TextMeasure {
  let written = 0
  return {
    begin: () => written,
    end(before, sql) {
      written = before + sql.length
      return written > maxText ? fail() : sql
    },
  }
}

/** Names the windows of one SELECT, so that each is written once. The definitions are no longer than a statement. */
function nameWindows({ begin, end }: TextMeasure) {
  const names = new Map<string, string>()
  return {
    nameOf(sql: string): string {
      const name = names.get(sql) ?? `w${names.size}`
      if (!names.has(sql)) names.set(end(begin(), sql), name)
      return name
    },
    definitions: (): string => [...names].map(([sql, name]) => `${name} AS (${sql})`).join(', '),
  }
}
