// The tables of a query on ClickHouse. Each is a subselect of one project's rows with just the columns that are used. In every stored
// table, later rows replace earlier ones, so that all are read with FINAL: a batch that was written twice counts once.
import type { Source } from '../ir'
import { withComputed } from '../print/query'
import { ENTRY_PROPERTIES, entryColumn } from '../tables/tables'
import { type ClickhouseContext, columnName } from './convert'

type TableSource = Extract<Source, { kind: 'table' }>

/** SQL by the key of the column. Datetimes are in UTC; what reads them converts them to the project's time zone. */
type Columns = Readonly<Record<string, string>>

/** Writes a SELECT of the rows of a table that belong to the run's project. */
export function printTable({ table, columns, computed }: TableSource, context: ClickhouseContext): string {
  switch (table) {
    case 'events':
      return events(columns, computed, context)
    case 'sessions':
      return sessions(columns, computed, context)
    case 'persons':
      return rows(table, PERSONS, columns, context)
    case 'person_distinct_ids':
      return personDistinctIds(columns, context)
    case 'groups':
      return rows(table, GROUPS, columns, context)
    case 'cohort_people':
      return rows(table, { person_id: 'person_id', cohort_id: 'cohort_id' }, columns, context)
  }
}

/** Writes the project's distinct ids, joined with their persons if the query reads them. */
function personDistinctIds(columns: ReadonlySet<string>, context: ClickhouseContext): string {
  const read = new Set([...columns].flatMap((key) => BEHIND.exec(key)?.[2] ?? []))
  const joined = Object.fromEntries([...read].map((key) => [`person__${key}`, `person.${columnName(key)}`]))
  const known = { distinct_id: 'd.distinct_id', person_id: 'd.person_id', ...joined }
  const join = read.size === 0 ? '' : ` ${joinPerson(read, context)}`
  return `SELECT ${selected(columns, known)} FROM person_distinct_ids AS d FINAL${join} WHERE ${isOfProject(context, 'd')}`
}

const PERSONS: Columns = {
  id: 'id',
  properties: 'properties',
  is_identified: 'is_identified',
  created_at: 'created_at',
}

const GROUPS: Columns = {
  index: '`index`',
  key: 'key',
  properties: 'properties',
  created_at: 'created_at',
}

/** Limits a read to the project of the run. */
const isOfProject = ({ parameters }: ClickhouseContext, alias = ''): string =>
  `${alias && `${alias}.`}project_id = ${parameters.add({ kind: 'project' }, 'Int64')}`

/** The column that is selected of a table when the query uses none. */
export const NO_COLUMN = 'one'

/** Returns `expression AS column` for each of `columns`. Without columns there is still a row for each row. */
function selected(columns: ReadonlySet<string>, known: Columns): string {
  const list = [...columns].map((key) => {
    // The resolver accepts no other columns.
    if (!Object.hasOwn(known, key)) throw new Error(`no such column: ${key}`)
    return `${known[key]} AS ${columnName(key)}`
  })
  return list.length > 0 ? list.join(', ') : `1 AS ${NO_COLUMN}`
}

const rows = (
  table: string,
  known: Columns,
  columns: ReadonlySet<string>,
  context: ClickhouseContext,
): string => `SELECT ${selected(columns, known)} FROM ${table} FINAL WHERE ${isOfProject(context)}`

const property = (name: string) => `JSONExtract(e.properties, '${name}', 'Nullable(String)')`

const EVENTS: Columns = {
  uuid: 'e.uuid',
  event: 'e.event',
  properties: 'e.properties',
  timestamp: 'e.timestamp',
  created_at: 'e.created_at',
  distinct_id: 'e.distinct_id',
  // An event whose distinct id has no person counts as a separate person.
  person_id: 'ifNull(d.person_id, e.distinct_id)',
  elements_chain: `ifNull(${property('$elements_chain')}, '')`,
  $session_id: property('$session_id'),
  $window_id: property('$window_id'),
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((index) => [`$group_${index}`, `ifNull(${property(`$group_${index}`)}, '')`]),
  ),
}

/** Matches keys such as `person__properties`: the joined table's alias, and the column in it. */
const BEHIND = /^(person|session|group_\d)__(.+)$/

/** Writes the project's events, joined with those of their person, groups and session that the query reads. */
function events(
  columns: ReadonlySet<string>,
  computed: TableSource['computed'],
  context: ClickhouseContext,
): string {
  const read = new Map<string, Set<string>>()
  const joined: Record<string, string> = {}
  for (const key of columns) {
    const [, object, column] = BEHIND.exec(key) ?? []
    if (!object || !column) continue
    read.set(object, (read.get(object) ?? new Set()).add(column))
    joined[key] = `${object}.${columnName(column)}`
  }
  return [
    `SELECT ${selected(columns, { ...EVENTS, ...joined })} FROM events AS e FINAL`,
    (columns.has('person_id') || read.has('person')) &&
      `LEFT JOIN (${personDistinctIds(new Set(['distinct_id', 'person_id']), context)}) AS d ON d.distinct_id = e.distinct_id`,
    ...[...read].map(([object, of]) =>
      object === 'person' ? joinPerson(of, context) : joinObject(object, of, computed, context),
    ),
    `WHERE ${isOfProject(context, 'e')}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const joinPerson = (columns: ReadonlySet<string>, context: ClickhouseContext): string =>
  `LEFT JOIN (${rows('persons', PERSONS, new Set(['id', ...columns]), context)}) AS person ON person.id = d.person_id`

function joinObject(
  object: string,
  columns: ReadonlySet<string>,
  computed: TableSource['computed'],
  context: ClickhouseContext,
): string {
  const left = (sql: string, condition: string) => `LEFT JOIN (${sql}) AS ${object} ON ${condition}`
  if (object === 'session') {
    const inSession = new Map([...computed].map(([key, column]) => [BEHIND.exec(key)?.[2] ?? key, column]))
    const found = sessions(new Set(['session_id', ...columns]), inSession, context)
    return left(found, `session.session_id = ${property('$session_id')}`)
  }
  const index = Number(object.slice('group_'.length))
  const found = rows('groups', GROUPS, new Set(['key', ...columns]), context)
  return left(`${found} AND \`index\` = ${index}`, `${object}.key = ${property(`$group_${index}`)}`)
}

const SESSION = `assumeNotNull(${property('$session_id')})`

const IS_VIEW = `e.event IN ('$pageview', '$screen')`
const DURATION = `dateDiff('second', min(e.timestamp), max(e.timestamp))`
const INTERACTIONS = `countIf(e.event IN ('$pageview', '$screen', '$autocapture'))`

// Of events at the same time, the one with the smaller uuid is the earlier one. In a tuple, NULL is a value like any other.
const ORDER = 'tuple(e.timestamp, e.uuid)'
const last = (value: string, condition = '1') => `argMaxIf(tuple(${value}), ${ORDER}, ${condition}).1`
// A session without views of pages and screens has the value of its first or last event.
const firstView = (value: string) => `argMin(tuple(${value}), tuple(NOT (${IS_VIEW}), e.timestamp, e.uuid)).1`
const lastView = (value: string) => `argMax(tuple(${value}), tuple(${IS_VIEW}, e.timestamp, e.uuid)).1`

const URL = property('$current_url')
const CLICK_URL = property('$external_click_url')

const SESSIONS: Columns = {
  session_id: SESSION,
  distinct_id: last('e.distinct_id'),
  $start_timestamp: 'min(e.timestamp)',
  $end_timestamp: 'max(e.timestamp)',
  $session_duration: DURATION,
  $pageview_count: "toInt64(countIf(e.event = '$pageview'))",
  $autocapture_count: "toInt64(countIf(e.event = '$autocapture'))",
  $screen_count: "toInt64(countIf(e.event = '$screen'))",
  $num_uniq_urls: `toInt64(uniqExactIf(${URL}, ${IS_VIEW}))`,
  $urls: `arraySort(groupUniqArrayIf(assumeNotNull(${URL}), ${IS_VIEW} AND ${URL} IS NOT NULL))`,
  $exit_current_url: lastView(property('$current_url')),
  $last_external_click_url: `nullIf(${last(CLICK_URL, `${CLICK_URL} IS NOT NULL`)}, '')`,
  $vitals_lcp: `minOrNull(JSONExtract(e.properties, '$web_vitals_LCP_value', 'Nullable(Float64)'))`,
  ...Object.fromEntries(ENTRY_PROPERTIES.map((name) => [entryColumn(name), firstView(property(name))])),
  // A session that shows nothing counts neither way.
  $is_bounce: `if(${INTERACTIONS} > 0, toBool(${INTERACTIONS} = 1 AND ${DURATION} < 10), NULL)`,
}

/** Writes the project's sessions, which aggregate the events of each `$session_id`. */
const sessions = (
  columns: ReadonlySet<string>,
  computed: TableSource['computed'],
  context: ClickhouseContext,
): string => withComputed(columns, computed, context, columnName, (stored) => storedSessions(stored, context))

const storedSessions = (columns: ReadonlySet<string>, context: ClickhouseContext): string =>
  `SELECT ${selected(columns, SESSIONS)} FROM events AS e FINAL WHERE ${isOfProject(context, 'e')} ` +
  `AND ${property('$session_id')} != '' GROUP BY ${SESSION}`
