// The tables of a query on D1. Each is a subselect of one project's rows, with just the columns that are used. The database merges most of
// them into the query around them, so that its indexes are used as if they were not there.
import { secondsOf } from '../functions/sqlite-values'
import { ENTRY_PROPERTIES, entryColumn } from '../tables/tables'
import type { Source } from '../ir'
import { withComputed } from '../print/query'
import { columnName, type SqliteContext } from './context'

type TableSource = Extract<Source, { kind: 'table' }>

/** SQL by the key of the column. */
type Columns = Readonly<Record<string, string>>

/** Limits a read to the project of the run. */
export const ofProject = (alias: string, { parameters }: Pick<SqliteContext, 'parameters'>): string =>
  `${alias}.project_id = ${parameters.add({ kind: 'project' })}`

/** Writes a SELECT of the rows of a table that belong to the run's project. */
export function printTable({ table, columns, computed }: TableSource, context: SqliteContext): string {
  const rows = (known: Columns, condition = '') =>
    `${select(columns, known)} FROM ${table} AS t WHERE ${ofProject('t', context)}${condition}`
  switch (table) {
    case 'events':
      return events(columns, computed, context)
    case 'sessions':
      return sessions(columns, computed, context)
    case 'persons':
      return rows(PERSONS, ' AND NOT t.is_deleted')
    case 'person_distinct_ids':
      return personDistinctIds(columns, context)
    case 'groups':
      return rows(GROUPS)
    case 'cohort_people':
      return rows({ person_id: 't.person_uuid', cohort_id: 't.cohort_id' }, ' AND NOT t.is_deleted')
  }
}

/** Writes the project's distinct ids, joined with their persons if the query reads them. */
function personDistinctIds(columns: ReadonlySet<string>, context: SqliteContext): string {
  const known = { distinct_id: 'd.distinct_id', person_id: 'd.person_uuid', ...PERSON }
  const readsPerson = [...columns].some((key) => key.startsWith('person__'))
  const join = readsPerson
    ? ` LEFT JOIN persons AS p ON ${ofProject('p', context)} AND p.uuid = d.person_uuid`
    : ''
  return `${select(columns, known)} FROM person_distinct_ids AS d${join} WHERE ${ofProject('d', context)}`
}

const PERSON: Columns = {
  person__created_at: 'p.created_at',
  person__properties: 'p.properties',
  person__is_identified: 'p.is_identified',
}

const PERSONS: Columns = {
  id: 't.uuid',
  created_at: 't.created_at',
  properties: 't.properties',
  is_identified: 't.is_identified',
}

const GROUPS: Columns = {
  index: 't.type_index',
  key: 't.group_key',
  created_at: 't.created_at',
  properties: 't.properties',
}

/** Writes a SELECT of the columns that are used. Without columns there is still a row for each row. */
function select(columns: ReadonlySet<string>, known: Columns): string {
  const list = [...columns].map((key) => {
    const sql = Object.hasOwn(known, key) ? known[key] : undefined
    // The resolver accepts no other columns.
    if (sql === undefined) throw new Error(`no such column: ${key}`)
    return `${sql} AS ${columnName(key)}`
  })
  return `SELECT ${list.join(', ') || '1 AS one'}`
}

/** Writes a value of a document, as text. The path is never a user's. */
function textAt(document: string, path: string): string {
  return `CASE json_type(${document}, ${path}) WHEN 'text' THEN ${document} ->> ${path} WHEN 'null' THEN NULL ELSE (${document} -> ${path}) || '' END`
}

const eventProperty = (name: string): string => textAt('e.properties', `'$."${name}"'`)

const GROUP_TYPES = [0, 1, 2, 3, 4]

const group = (index: number) => `ifnull(${eventProperty(`$group_${index}`)}, '')`

const EVENTS: Columns = {
  uuid: 'e.uuid',
  event: 'e.event',
  properties: 'e.properties',
  timestamp: 'e.timestamp',
  created_at: 'e.created_at',
  distinct_id: 'e.distinct_id',
  // An event whose distinct id has no person counts as a separate person.
  person_id: 'ifnull(d.person_uuid, e.distinct_id)',
  elements_chain: `ifnull(${eventProperty('$elements_chain')}, '')`,
  $session_id: eventProperty('$session_id'),
  $window_id: eventProperty('$window_id'),
  ...Object.fromEntries(GROUP_TYPES.map((index) => [`$group_${index}`, group(index)])),
  ...PERSON,
  ...Object.fromEntries(
    GROUP_TYPES.flatMap((index) => [
      [`group_${index}__key`, `g${index}.group_key`],
      [`group_${index}__created_at`, `g${index}.created_at`],
      [`group_${index}__properties`, `g${index}.properties`],
    ]),
  ),
}

const SESSION = 'session__'

/** Writes the project's events, joined with those of their person, groups and session that the query reads. */
function events(
  columns: ReadonlySet<string>,
  computed: TableSource['computed'],
  context: SqliteContext,
): string {
  const inSession = (key: string) => (key.startsWith(SESSION) ? [key.slice(SESSION.length)] : [])
  const session = new Set([...columns].flatMap(inSession))
  const computedOfSession = new Map(
    [...computed].flatMap(([key, column]) => inSession(key).map((inner) => [inner, column] as const)),
  )
  const ofSession = Object.fromEntries([...session].map((key) => [SESSION + key, `s.${columnName(key)}`]))
  const reads = (prefix: string) => [...columns].some((key) => key.startsWith(prefix))
  return [
    `${select(columns, { ...EVENTS, ...ofSession })} FROM events AS e`,
    (columns.has('person_id') || reads('person__')) &&
      `LEFT JOIN person_distinct_ids AS d ON ${ofProject('d', context)} AND d.distinct_id = e.distinct_id`,
    reads('person__') && `LEFT JOIN persons AS p ON ${ofProject('p', context)} AND p.uuid = d.person_uuid`,
    ...GROUP_TYPES.map((index) => reads(`group_${index}__`) && joinGroup(index, context)),
    session.size > 0 &&
      // The limit has SQLite compute the columns once for a session, and not again for each event.
      `LEFT JOIN (${sessions(new Set(['session_id', ...session]), computedOfSession, context)} LIMIT -1) AS s ON s.session_id = ${eventProperty('$session_id')}`,
    `WHERE ${ofProject('e', context)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const joinGroup = (index: number, context: SqliteContext): string =>
  `LEFT JOIN groups AS g${index} ON ${ofProject(`g${index}`, context)} AND g${index}.type_index = ${index} ` +
  `AND g${index}.group_key = ${group(index)}`

/** Columns of a session, from the rows of `event_sessions` that it has. */
const SESSION_SUMS: Columns = {
  session_id: 't.session_id',
  $start_timestamp: 'min(t.start_timestamp)',
  $end_timestamp: 'max(t.end_timestamp)',
  $pageview_count: 'sum(t.pageviews)',
  $autocapture_count: 'sum(t.autocaptures)',
  $screen_count: 'sum(t.screens)',
  $vitals_lcp: 'min(t.lcp)',
  first: 'min(t.first)',
  last: 'max(t.last)',
  click: 'max(t.click)',
  newest: 'max(t.newest || t.distinct_id)',
}

/** Characters of what orders the events in `newest` and `click`: a timestamp and a uuid. `first` and `last` have a digit before it. */
const ORDER_CHARACTERS = 27 + 36
const after = (column: string, characters: number) => `substr(g.${columnName(column)}, ${characters + 1})`

const ENTRY = after('first', ORDER_CHARACTERS + 1)
const EXIT = after('last', ORDER_CHARACTERS + 1)
const DURATION = `(${secondsOf(`g.${columnName('$end_timestamp')}`)} - ${secondsOf(`g.${columnName('$start_timestamp')}`)})`
const INTERACTIONS = `(${['$pageview_count', '$screen_count', '$autocapture_count'].map((key) => `g.${columnName(key)}`).join(' + ')})`

/** Columns that are computed from `SESSION_SUMS`, and those that they read. */
const SESSION_VALUES: Readonly<Record<string, readonly [sql: string, ...reads: string[]]>> = {
  distinct_id: [after('newest', ORDER_CHARACTERS), 'newest'],
  $session_duration: [DURATION, '$start_timestamp', '$end_timestamp'],
  // A session that shows nothing counts neither way.
  $is_bounce: [
    `CASE WHEN ${INTERACTIONS} > 0 THEN ${INTERACTIONS} = 1 AND ${DURATION} < 10 END`,
    '$pageview_count',
    '$screen_count',
    '$autocapture_count',
    '$start_timestamp',
    '$end_timestamp',
  ],
  ...Object.fromEntries(
    ENTRY_PROPERTIES.map((name, index) => [entryColumn(name), [textAt(ENTRY, `'$[${index}]'`), 'first']]),
  ),
  $exit_current_url: [textAt(EXIT, `'$'`), 'last'],
  $last_external_click_url: [after('click', ORDER_CHARACTERS), 'click'],
}

/** Columns of all views of a session, which only its events have. */
const SESSION_URLS: Columns = {
  $urls: 'json_group_array(DISTINCT v.url ORDER BY v.url) FILTER (WHERE v.url IS NOT NULL)',
  $num_uniq_urls: 'count(DISTINCT v.url)',
}

/** Writes the project's sessions. The limit has SQLite read a value once, however often an expression reads it. */
const sessions = (
  columns: ReadonlySet<string>,
  computed: TableSource['computed'],
  context: SqliteContext,
): string =>
  withComputed(columns, computed, context, columnName, (stored) =>
    computed.size > 0 ? `${storedSessions(stored, context)} LIMIT -1` : storedSessions(stored, context),
  )

function storedSessions(columns: ReadonlySet<string>, context: SqliteContext): string {
  const keys = [...columns]
  const sums = keys.flatMap(
    (key) => SESSION_VALUES[key]?.slice(1) ?? (Object.hasOwn(SESSION_SUMS, key) ? key : []),
  )
  const urls = keys.filter((key) => Object.hasOwn(SESSION_URLS, key))
  const grouped = new Set([...(urls.length > 0 ? ['session_id'] : []), ...sums])
  const groups = `${select(grouped, SESSION_SUMS)} FROM event_sessions AS t WHERE ${ofProject('t', context)} GROUP BY t.session_id`
  const known: Columns = {
    ...Object.fromEntries([...grouped].map((key) => [key, `g.${columnName(key)}`])),
    ...Object.fromEntries(
      keys.flatMap((key) => (SESSION_VALUES[key] ? [[key, SESSION_VALUES[key][0]]] : [])),
    ),
    $urls: `ifnull(u.${columnName('$urls')}, '[]')`,
    $num_uniq_urls: `ifnull(u.${columnName('$num_uniq_urls')}, 0)`,
  }
  const join =
    urls.length === 0
      ? ''
      : ` LEFT JOIN (${sessionUrls(urls, context)}) AS u ON u.session = +g.${columnName('session_id')}`
  return `${select(columns, known)} FROM (${groups}) AS g${join}`
}

/** Writes the URLs of each session's views. They are read in a separate SELECT, before the events are grouped. */
function sessionUrls(keys: readonly string[], context: SqliteContext): string {
  const id = eventProperty('$session_id')
  const views =
    `SELECT ${id} AS session, ${eventProperty('$current_url')} AS url FROM events AS e WHERE ${ofProject('e', context)} ` +
    `AND e.event IN ('$pageview', '$screen') AND e.properties ->> '$."$session_id"' <> ''`
  const list = keys.map((key) => `${SESSION_URLS[key]} AS ${columnName(key)}`)
  return `SELECT v.session, ${list.join(', ')} FROM (${views} LIMIT -1) AS v GROUP BY v.session`
}
