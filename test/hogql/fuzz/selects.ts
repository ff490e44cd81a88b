// Whole queries of the grammar: tables, joins, grouping, windows, limits, set operations, common table expressions.
import type { Choices } from './choices'
import { expression, type Site } from './expressions'
import { type FuzzKind, KINDS } from './literals'

type Columns = Site['columns']

interface Source {
  sql: string
  alias: string
  columns: Columns
}

const TABLES: Readonly<Record<string, Columns>> = {
  events: [
    { name: 'event', kind: 'string' },
    { name: 'timestamp', kind: 'datetime' },
    { name: 'properties.amount', kind: 'number' },
    { name: 'distinct_id', kind: 'string' },
    { name: 'person_id', kind: 'string' },
    { name: 'properties.$browser', kind: 'string' },
    { name: 'properties.paid', kind: 'condition' },
    { name: 'properties.renews_at', kind: 'datetime' },
    { name: 'properties.nested.a', kind: 'string' },
    { name: 'properties', kind: 'json' },
    { name: 'person.properties.age', kind: 'number' },
    { name: 'person.properties', kind: 'json' },
    { name: 'person.created_at', kind: 'datetime' },
    { name: 'session.$session_duration', kind: 'number' },
    { name: '$session_id', kind: 'string' },
    { name: '$group_0', kind: 'string' },
    { name: 'group_0.properties.seats', kind: 'number' },
    { name: 'elements_chain', kind: 'string' },
  ],
  persons: [
    { name: 'id', kind: 'string' },
    { name: 'created_at', kind: 'datetime' },
    { name: 'properties', kind: 'json' },
    { name: 'properties.age', kind: 'number' },
    { name: 'properties.email', kind: 'string' },
    { name: 'is_identified', kind: 'condition' },
  ],
  person_distinct_ids: [
    { name: 'distinct_id', kind: 'string' },
    { name: 'person_id', kind: 'string' },
  ],
  groups: [
    { name: 'index', kind: 'number' },
    { name: 'key', kind: 'string' },
    { name: 'properties', kind: 'json' },
    { name: 'created_at', kind: 'datetime' },
  ],
  sessions: [
    { name: 'session_id', kind: 'string' },
    { name: '$start_timestamp', kind: 'datetime' },
    { name: '$end_timestamp', kind: 'datetime' },
    { name: '$session_duration', kind: 'number' },
    { name: '$pageview_count', kind: 'number' },
    { name: '$entry_current_url', kind: 'string' },
  ],
  cohort_people: [
    { name: 'person_id', kind: 'string' },
    { name: 'cohort_id', kind: 'number' },
  ],
  'numbers(5)': [{ name: 'number', kind: 'number' }],
  sqlite_master: [{ name: 'sql', kind: 'string' }],
}

const ALIASES = ['a', 'b', 's0', 'events', 'x', '`o"dd`', '`q``uote`', 'project_id']

/** Names of the CTEs that a query may read, with their columns. */
type Ctes = readonly Source[]

function source(choices: Choices, ctes: Ctes, depth: number, at: number): Source {
  const alias = choices.rarely(12) ? choices.of(ALIASES) : `t${at}`
  const prefixed = (columns: Columns) => columns.map(({ name, kind }) => ({ name: `${alias}.${name}`, kind }))
  if (ctes.length && choices.rarely(3)) {
    const cte = choices.of(ctes)
    return { sql: `${cte.alias} AS ${alias}`, alias, columns: prefixed(cte.columns) }
  }
  if (depth > 0 && choices.rarely(4)) {
    const kinds = choices.many(1, 3, () => choices.of(KINDS))
    const { sql, columns } = select(choices, ctes, depth - 1, kinds)
    return { sql: `(${sql}) AS ${alias}`, alias, columns: prefixed(columns) }
  }
  const tables = Object.keys(TABLES)
  const table = choices.rarely(60) ? 'sqlite_master' : choices.of(tables.slice(0, -1))
  return { sql: `${table} AS ${alias}`, alias, columns: prefixed(TABLES[table]!) }
}

function from(choices: Choices, ctes: Ctes, depth: number): { sql: string; columns: Columns } {
  if (choices.rarely(15)) return { sql: '', columns: [] }
  const first = source(choices, ctes, depth, 0)
  if (!choices.rarely(4)) return elementsOf(choices, first)
  const second = source(choices, ctes, depth, 1)
  const kind = choices.of(['INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL OUTER JOIN', 'CROSS JOIN'])
  const columns = [...first.columns, ...second.columns]
  const on = kind === 'CROSS JOIN' ? '' : ` ON ${joinOn(choices, first, second)}`
  return { sql: ` FROM ${first.sql} ${kind} ${second.sql}${on}`, columns }
}

/** A source alone, or with the elements of a column that is an array. */
function elementsOf(choices: Choices, { sql, columns }: Source): { sql: string; columns: Columns } {
  const array = columns.find(({ kind }) => kind === 'array')
  if (!array || !choices.rarely(2)) return { sql: ` FROM ${sql}`, columns }
  const kind = choices.of<FuzzKind>(['string', 'number'])
  return {
    sql: ` FROM ${sql} ${choices.of(['', 'LEFT '])}ARRAY JOIN ${array.name} AS element`,
    columns: [...columns, { name: 'element', kind }],
  }
}

function joinOn(choices: Choices, first: Source, second: Source): string {
  const left = choices.of(first.columns)
  const same = second.columns.filter(({ kind }) => kind === left.kind)
  return `${left.name} = ${choices.of(same.length ? same : second.columns).name}`
}

/** A SELECT whose columns are of these kinds; they are called k0, k1, … */
function select(
  choices: Choices,
  ctes: Ctes,
  depth: number,
  kinds: readonly FuzzKind[],
  limited = false,
): { sql: string; columns: Columns } {
  const read = from(choices, ctes, depth)
  const site: Site = {
    columns: read.columns,
    aggregates: false,
    windows: false,
    subquery: (kind) =>
      depth > 0
        ? `(${select(choices, ctes, depth - 1, [kind], true).sql} LIMIT 1)`
        : `(SELECT ${expression(choices, kind, { ...site, columns: [] }, 0)} AS k0)`,
  }
  const deep = Math.min(3, depth + 1)
  const grouped = choices.rarely(3)
  const distinct = !grouped && choices.rarely(8) ? 'DISTINCT ' : ''
  // Items of a grouped query read columns in aggregates only, but for now and then.
  const inItems = {
    ...site,
    columns: grouped && !choices.rarely(10) ? [] : site.columns,
    aggregated: site.columns,
    aggregates: grouped,
    windows: choices.rarely(2),
  }
  const isKey = kinds.map(() => grouped && choices.rarely(3))
  const items = kinds.map(
    (kind, at) => `${expression(choices, kind, isKey[at] ? site : inItems, isKey[at] ? 1 : deep)} AS k${at}`,
  )
  const where = choices.rarely(2) ? ` WHERE ${expression(choices, 'condition', site, deep)}` : ''
  const keys = kinds.flatMap((_, at) => (isKey[at] ? [choices.rarely(4) ? String(at + 1) : `k${at}`] : []))
  const groupBy = keys.length ? ` GROUP BY ${keys.join(', ')}` : ''
  const having =
    grouped && choices.rarely(3)
      ? ` HAVING ${expression(choices, 'condition', { ...site, columns: kinds.map((kind, at) => ({ name: `k${at}`, kind })), aggregates: true }, 1)}`
      : ''
  const orderBy = choices.rarely(3)
    ? ` ORDER BY ${choices.of(['k0', '1', 'k0 DESC', 'count()', expression(choices, 'string', site, 1)])}`
    : ''
  const limitBy = !limited && choices.rarely(12) ? ` LIMIT ${choices.of(['1', '2'])} BY k0` : ''
  const limit =
    !limited && choices.rarely(3)
      ? choices.of([' LIMIT 3', ' LIMIT 0', ' LIMIT 1000000', ' LIMIT 3 OFFSET 1', ' OFFSET 1'])
      : ''
  return {
    sql: `SELECT ${distinct}${items.join(', ')}${read.sql}${where}${groupBy}${having}${orderBy}${limitBy}${limit}`,
    columns: kinds.map((kind, at) => ({ name: `k${at}`, kind })),
  }
}

/** A query of the grammar. */
export function query(choices: Choices): string {
  const ctes: Source[] = []
  const count = choices.rarely(4) ? 1 + choices.below(2) : 0
  for (let at = 0; at < count; at++) {
    const kinds = choices.many(1, 2, () => choices.of(KINDS))
    const { sql, columns } = select(choices, ctes, 1, kinds)
    const alias = choices.rarely(5)
      ? choices.of(['events', 'persons', 'cte0', 'sqlite_master', '`a"b`'])
      : `w${at}`
    ctes.push({ sql, alias, columns })
  }
  const kinds = choices.many(1, 3, () => choices.of(KINDS))
  const one = () => select(choices, ctes, 2, kinds).sql
  const terms = choices.rarely(6) ? choices.many(2, 7, one) : [one()]
  const body = terms.reduce(
    (text, term) => `${text} ${choices.of(['UNION ALL', 'UNION DISTINCT', 'INTERSECT', 'EXCEPT'])} ${term}`,
  )
  const withs = ctes.map(({ alias, sql }) => `${alias} AS (${sql})`).join(', ')
  return withs ? `WITH ${withs} ${body}` : body
}
