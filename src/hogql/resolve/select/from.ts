// Resolves FROM: tables, subqueries, CTEs and numbers, and their joins.
import type { ComputedColumn, Expr, From, Join, Source } from '../../ir'
import type { Field, JoinExpr } from '../../parser/ast'
import type { JoinedSchema, TableSchema } from '../../tables/schema'
import { closestTo } from '../../suggest'
import { findTable, TABLES } from '../../tables/tables'
import { INTEGER, STRING } from '../../types'
import { column as columnExpr, comparison, integer } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convertOrReject } from '../types/convert'
import { derivedColumns } from '../names/columns'
import { optional, resolveOn, resolveUsing } from './join-conditions'
import { reject } from '../../error'
import {
  findCte,
  emptyScope,
  type Environment,
  type NamedSource,
  type Scope,
  type SourceColumns,
} from '../context/scope'
import { textOf } from '../context/source-text'

/** Resolves FROM, and adds its sources to the scope. */
export function resolveFrom(r: Resolution, node: JoinExpr, scope: Scope): From {
  const joins: Join[] = []
  const source = addSource(r, node, scope, joins)
  for (let next = node.next_join; next; next = next.next_join) joins.push(resolveJoin(r, next, scope, joins))
  return { source, joins }
}

function resolveJoin(r: Resolution, node: JoinExpr, scope: Scope, joins: Join[]): Join {
  const kind = joinKindOf(node)
  if (kind === 'right' || kind === 'full') {
    for (const [name, column] of scope.merged)
      scope.merged.set(name, { ...column, expr: optional(column.expr) })
  }
  const before = [...scope.sources]
  const source = addSource(r, node, scope, joins)
  const [joined] = scope.sources.slice(-1)
  const on = joined ? conditionOf(r, node, kind, before, joined, scope) : null
  if (kind === 'right' || kind === 'full') {
    for (const other of before) for (const each of [other, ...other.joined.values()]) each.optional = true
  }
  if (joined && (kind === 'left' || kind === 'full')) joined.optional = true
  return { kind, source, on }
}

const KINDS: Record<string, Join['kind']> = {
  JOIN: 'inner',
  'INNER JOIN': 'inner',
  'LEFT JOIN': 'left',
  'LEFT OUTER JOIN': 'left',
  'RIGHT JOIN': 'right',
  'RIGHT OUTER JOIN': 'right',
  'FULL JOIN': 'full',
  'FULL OUTER JOIN': 'full',
  'CROSS JOIN': 'cross',
}

/** What to write instead of an unsupported JOIN, by a word of its kind. */
const INSTEAD_OF_JOINS: Readonly<Record<string, string>> = {
  ASOF: 'join on the key and on both times, group by the left row, and use argMax(…, timestamp)',
  SEMI: 'use WHERE key IN (SELECT …)',
  ANTI: 'use WHERE key NOT IN (SELECT …)',
  ANY: 'join a subquery with LIMIT 1 BY key',
  ALL: 'leave out ALL',
  POSITIONAL: 'number the rows of both with row_number() OVER (ORDER BY …), and join by the numbers',
}

function joinKindOf(node: JoinExpr): Join['kind'] {
  const written = node.join_type ?? 'JOIN'
  const found = KINDS[written]
  if (found) return found
  const words = written.split(' ')
  const [word, instead] = Object.entries(INSTEAD_OF_JOINS).find(([each]) => words.includes(each)) ?? []
  // The tree has the words in another order than the text.
  const named = [word, ...words.filter((each) => each !== word && each !== 'INNER')].join(' ')
  return reject(node, `${named} is not supported: ${instead}`)
}

function conditionOf(
  r: Resolution,
  node: JoinExpr,
  kind: Join['kind'],
  before: readonly NamedSource[],
  joined: NamedSource,
  scope: Scope,
): Expr | null {
  const { constraint } = node
  if (kind === 'cross') {
    return constraint ? reject(constraint, 'CROSS JOIN takes no condition', 'invalid_query') : null
  }
  if (!constraint) return reject(node, 'A JOIN needs ON or USING', 'invalid_query')
  return constraint.constraint_type === 'USING'
    ? resolveUsing(r, constraint, kind, before, joined, scope)
    : resolveOn(r, constraint, scope)
}

/** The most sources of a FROM. Databases support few more, and do not find a good order for joining them. */
const MAX_SOURCES = 30

function checkSources(joins: readonly Join[], node: JoinExpr): void {
  if (joins.length + 1 >= MAX_SOURCES) reject(node, `A FROM may join at most ${MAX_SOURCES} tables`)
}

function addSource(r: Resolution, node: JoinExpr, scope: Scope, joins: Join[]): Source {
  if (scope.sources.length > 0) checkSources(joins, node)
  if (node.sample)
    reject(
      node,
      "SAMPLE is not supported: use a condition, such as endsWith(uuid, '0') for one event of sixteen",
    )
  const { source, shape, name } = resolveSource(r, node, scope)
  if (node.table_final && source.kind !== 'table') {
    reject(node, 'FINAL is for tables of the project', 'invalid_query')
  }
  const alias = node.alias ?? name
  if (alias !== null && scope.sources.some((other) => other.name === alias)) {
    reject(node, `Already have joined a table called '${alias}'. Can't redefine.`, 'invalid_query')
  }
  scope.sources.push(namedSource(r, source.id, alias, shape, joins, node, scope.sources.length === 0))
  return source
}

function namedSource(
  r: Resolution,
  id: number,
  name: string | null,
  shape: SourceColumns,
  joins: Join[],
  node: JoinExpr,
  isFirst: boolean,
): NamedSource {
  const joined = new Map<JoinedSchema, NamedSource>()
  return {
    id,
    name,
    shape,
    optional: false,
    joined,
    // As upstream: a row that has none disappears.
    join(field) {
      const known = joined.get(field)
      if (known !== undefined) return known
      checkSources(joins, node)
      if (!isFirst && joins.every(({ source }) => source.id !== id)) {
        reject(
          node,
          `The condition of a JOIN cannot read other tables of the joined one: join ${field.table} itself`,
        )
      }
      const [own, other] = field.on
      if (shape.kind === 'table') shape.used.add(own)
      const used = new Set<string>([other])
      const computed = new Map<string, ComputedColumn>()
      const added = r.nextId()
      joins.push({
        kind: 'inner',
        source: { kind: 'table', id: added, table: field.table, columns: used, computed },
        on: comparison('=', columnExpr(id, own, STRING), columnExpr(added, other, STRING)),
      })
      const schema = TABLES[field.table]
      const source = namedSource(
        r,
        added,
        null,
        { kind: 'table', schema, used, computed },
        joins,
        node,
        false,
      )
      joined.set(field, source)
      return source
    },
  }
}

interface ResolvedSource {
  source: Source
  shape: SourceColumns
  /** The name of the source, or null for a source without an alias. */
  name: string | null
}

function resolveSource(r: Resolution, node: JoinExpr, scope: Scope): ResolvedSource {
  const { table } = node
  switch (table?.node) {
    case 'Field':
      return node.table_args ? tableFunction(r, node, table, scope) : namedTable(r, node, table, scope)
    case 'SelectQuery':
    case 'SelectSetQuery': {
      const query = r.query(table, scope.environment, null)
      const columns = derivedColumns(r, query, node.column_aliases ?? null, node)
      return {
        source: { kind: 'query', id: r.nextId(), query },
        shape: { kind: 'derived', columns },
        name: null,
      }
    }
    case 'Placeholder':
      return reject(table, `Unresolved placeholder: ${textOf(r, table)}`, 'invalid_query')
    default:
      return reject(node, `Reading from ${table?.node ?? 'nothing'} is not supported`)
  }
}

function namedTable(r: Resolution, node: JoinExpr, table: Field, scope: Scope): ResolvedSource {
  const name = table.chain.join('.')
  const cte = table.chain.length === 1 ? findCte(scope.environment, name) : undefined
  if (cte?.kind === 'query') {
    if (node.column_aliases)
      reject(node, 'The columns of a CTE are renamed where it is defined: WITH name (a, b) AS (…)')
    cte.use(table)
    return {
      source: { kind: cte.isLevel ? 'level' : 'cte', id: r.nextId(), cte: cte.id },
      shape: { kind: 'derived', columns: cte.columns },
      name,
    }
  }
  if (r.context.stored?.name === name) return storedTable(r, name)
  const found = table.chain.length === 1 ? findTable(name) : undefined
  if (found === undefined)
    return reject(
      table,
      `Unknown table '${name}'${missingTable(name) ?? `.${meantTable(name, scope)}`}`,
      'unknown_table',
    )
  const schema = node.column_aliases ? renamed(found, node.column_aliases, node) : found
  scope.tables.add(schema.name)
  const used = new Set<string>()
  const computed = new Map<string, ComputedColumn>()
  return {
    source: { kind: 'table', id: r.nextId(), table: schema.name, columns: used, computed },
    shape: { kind: 'table', schema, used, computed },
    name,
  }
}

/** Why a table of PostHog does not exist here, by the start of its name. */
const MISSING_TABLES: readonly [names: RegExp, reason: string][] = [
  [
    /^(?:system|information_schema)(?:\.|$)/,
    'tables about the database are not readable. The kind DatabaseSchemaQuery describes the tables of queries',
  ],
  [/^query_log$/, 'runs of an endpoint are in its logs, at …/endpoints/{name}/logs'],
  [
    /^(?:logs?|log_entries|log_attributes|otel_\w+|traces|spans|trace_spans|metrics)(?:\.|$)/,
    'logs, traces and metrics are not captured',
  ],
  [
    /^(?:raw_)?(?:session_replay|replay|console_logs_log_entries|session_recording)/,
    'sessions are not recorded',
  ],
  [/^(?:ai_events|ai_traces)$/, "events of AI are in 'events', such as WHERE event = '$ai_generation'"],
  [
    /^(?:heatmaps|app_metrics\d?|exchange_rates?|document_embeddings|cohorts|feature_flags|experiments|surveys|insights|dashboards|actions)$/,
    'it is not a table here',
  ],
  [/^(?:error_tracking|web_(?:pre_aggregated|stats|bounces))\w*$/, 'it is not a table here'],
  [/^(?:static_cohort_people|(?:raw_)?cohort_people\w*)$/, "use 'cohort_people'"],
  [
    /^(?:raw_(?:events|persons|sessions|groups|person_distinct_ids)\w*|person_overrides|person_distinct_id_overrides)$/,
    'use the table without the prefix',
  ],
]

function missingTable(name: string): string | undefined {
  const known = name.toLowerCase().replace(/^posthog\./, '')
  const found = MISSING_TABLES.find(([names]) => names.test(known))
  return found && `: ${found[1]}`
}

function meantTable(name: string, { environment }: Scope): string {
  const known = Object.keys(TABLES)
  for (let here: Environment | null = environment; here; here = here.outer) known.push(...here.ctes.keys())
  const closest = closestTo(name, known)
  return closest === undefined ? '' : ` Did you mean '${closest}'?`
}

/** Returns a table whose first columns have other names. */
function renamed(schema: TableSchema, names: readonly string[], node: JoinExpr): TableSchema {
  if (names.length > schema.star.length) {
    reject(node, `${names.length} names for ${schema.star.length} columns`, 'invalid_query')
  }
  const given = new Map(schema.star.map((name, index) => [name, names[index] ?? name]))
  return {
    ...schema,
    fields: new Map([...schema.fields].map(([name, field]) => [given.get(name) ?? name, field])),
    star: [...given.values()],
  }
}

/** Returns a materialized query's rows as a source, with the column `__row` for their order. */
function storedTable(r: Resolution, name: string): ResolvedSource {
  const columns = (r.context.stored?.columns ?? []).map((column, index) => ({ ...column, key: `c${index}` }))
  return {
    source: { kind: 'stored', id: r.nextId() },
    shape: { kind: 'derived', columns: [...columns, { name: '__row', key: 'row', type: INTEGER }] },
    name,
  }
}

/** Resolves `numbers(count)` and `numbers(start, count)`. */
function tableFunction(r: Resolution, node: JoinExpr, table: Field, scope: Scope): ResolvedSource {
  const name = table.chain.join('.')
  const args = node.table_args ?? []
  if (name.toLowerCase() !== 'numbers') reject(node, `Unknown table function '${name}'.`, 'unknown_table')
  if (args.length < 1 || args.length > 2) {
    reject(node, `Table function 'numbers' takes 1 to 2 arguments, and got ${args.length}`, 'invalid_query')
  }
  const nowhere = emptyScope(scope.environment, null)
  if ((node.column_aliases?.length ?? 0) > 1) {
    reject(node, `${node.column_aliases?.length} names for 1 column`, 'invalid_query')
  }
  const resolved = args.map((arg) =>
    convertOrReject(r, r.expr(arg, nowhere), 'integer', arg, "Table function 'numbers' takes integers"),
  )
  const [first = integer(0), second] = resolved
  const [start, count] = second === undefined ? [integer(0), first] : [first, second]
  return {
    source: { kind: 'numbers', id: r.nextId(), start, count },
    shape: {
      kind: 'derived',
      columns: [{ name: node.column_aliases?.[0] ?? 'number', key: 'number', type: INTEGER }],
    },
    name,
  }
}
