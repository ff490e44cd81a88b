// The tables of a query on D1. Each is a subselect of one project's rows, with just the columns that are used. The database merges most of
// them into the query around them, so that its indexes are used as if they were not there.
import { secondsOf } from '../functions/sqlite-values'
import { CLICK_IDS } from '../tables/tables'
import type { TableName } from '../ir'
import { columnName, type SqliteContext } from './context'

/** SQL by the key of the column. */
type Columns = Readonly<Record<string, string>>

/** Limits a read to the project of the run. */
export const ofProject = (alias: string, { parameters }: Pick<SqliteContext, 'parameters'>): string =>
  `${alias}.project_id = ${parameters.add({ kind: 'project' })}`

/** Writes a SELECT of the rows of a table that belong to the run's project. */
export function printTable(table: TableName, columns: ReadonlySet<string>, context: SqliteContext): string {
  const rows = (known: Columns, condition = '') =>
    `${select(columns, known)} FROM ${table} AS t WHERE ${ofProject('t', context)}${condition}`
  switch (table) {
    case 'events':
      return events(columns, context)
    case 'sessions':
      return sessions(columns, context)
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

/** Writes a property of events, as text. The name is never a user's. */
function eventProperty(name: string, alias = 'e'): string {
  const [document, path] = [`${alias}.properties`, `'$."${name}"'`]
  return `CASE json_type(${document}, ${path}) WHEN 'text' THEN ${document} ->> ${path} WHEN 'null' THEN NULL ELSE (${document} -> ${path}) || '' END`
}

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
function events(columns: ReadonlySet<string>, context: SqliteContext): string {
  const session = new Set(
    [...columns].filter((key) => key.startsWith(SESSION)).map((key) => key.slice(SESSION.length)),
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
      `LEFT JOIN (${sessions(new Set(['session_id', ...session]), context)}) AS s ON s.session_id = ${eventProperty('$session_id')}`,
    `WHERE ${ofProject('e', context)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const joinGroup = (index: number, context: SqliteContext): string =>
  `LEFT JOIN groups AS g${index} ON ${ofProject(`g${index}`, context)} AND g${index}.type_index = ${index} ` +
  `AND g${index}.group_key = ${group(index)}`

const UTM = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`)

/** Columns of events from which sessions are computed: `v.<name>`. */
const SESSION_EVENTS: Columns = {
  session: eventProperty('$session_id'),
  id: 'e.id',
  timestamp: 'e.timestamp',
  uuid: 'e.uuid',
  event: 'e.event',
  url: eventProperty('$current_url'),
  click_url: eventProperty('$external_click_url'),
  lcp: `CASE WHEN json_type(e.properties, '$."$web_vitals_LCP_value"') IN ('integer', 'real') THEN CAST(e.properties ->> '$."$web_vitals_LCP_value"' AS REAL) END`,
}

/** A value of a session's events, and the columns of events that it is computed from. */
type Aggregated = readonly [sql: string, ...reads: string[]]

const IS_VIEW = "v.event IN ('$pageview', '$screen')"
const countOf = (condition: string) => `count(*) FILTER (WHERE ${condition})`
const INTERACTIONS = countOf("v.event IN ('$pageview', '$screen', '$autocapture')")
const DURATION = `(${secondsOf('max(v.timestamp)')} - ${secondsOf('min(v.timestamp)')})`

/** Events of a session, in the order of their times. Of those at the same time, the one with the smaller uuid is the earlier one. */
const ORDER = 'v.timestamp || v.uuid'
const ORDER_CHARACTERS = 27 + 36

const AGGREGATED: Readonly<Record<string, Aggregated>> = {
  session_id: ['v.session'],
  $start_timestamp: ['min(v.timestamp)', 'timestamp'],
  $end_timestamp: ['max(v.timestamp)', 'timestamp'],
  $session_duration: [DURATION, 'timestamp'],
  $pageview_count: [countOf("v.event = '$pageview'"), 'event'],
  $autocapture_count: [countOf("v.event = '$autocapture'"), 'event'],
  $screen_count: [countOf("v.event = '$screen'"), 'event'],
  $num_uniq_urls: [`count(DISTINCT v.url) FILTER (WHERE ${IS_VIEW})`, 'event', 'url'],
  $urls: [
    `json_group_array(DISTINCT v.url ORDER BY v.url) FILTER (WHERE ${IS_VIEW} AND v.url IS NOT NULL)`,
    'event',
    'url',
  ],
  $last_external_click_url: [
    `substr(max(${ORDER} || v.click_url) FILTER (WHERE v.click_url IS NOT NULL), ${ORDER_CHARACTERS + 1})`,
    'timestamp',
    'uuid',
    'click_url',
  ],
  $vitals_lcp: ['min(v.lcp)', 'lcp'],
  // A session that shows nothing counts neither way.
  $is_bounce: [
    `CASE WHEN ${INTERACTIONS} > 0 THEN ${INTERACTIONS} = 1 AND ${DURATION} < 10 END`,
    'event',
    'timestamp',
  ],
}

/** Returns the id of the first or last view of a page or screen. A session without views has its first or last event. */
const viewAt = (fn: 'min' | 'max'): Aggregated => [
  `CAST(substr(${fn}((${fn === 'min' ? `NOT ${IS_VIEW}` : IS_VIEW}) || ${ORDER} || v.id), ${ORDER_CHARACTERS + 2}) AS INTEGER)`,
  'id',
  'timestamp',
  'uuid',
  'event',
]

/** Events of a session that have columns of it: their ids, by the alias of the event. */
const PICKED: Readonly<Record<'first' | 'last' | 'newest', Aggregated>> = {
  first: viewAt('min'),
  last: viewAt('max'),
  newest: [
    `CAST(substr(max(${ORDER} || v.id), ${ORDER_CHARACTERS + 1}) AS INTEGER)`,
    'id',
    'timestamp',
    'uuid',
  ],
}

/** Columns of the picked events, by the alias of the event. */
const OF_PICKED: Readonly<Record<keyof typeof PICKED, Columns>> = {
  first: {
    $entry_current_url: eventProperty('$current_url', 'first'),
    $entry_referring_domain: eventProperty('$referring_domain', 'first'),
    ...Object.fromEntries(
      [...UTM, ...CLICK_IDS].map((name) => [`$entry_${name}`, eventProperty(name, 'first')]),
    ),
  },
  last: { $exit_current_url: eventProperty('$current_url', 'last') },
  newest: { distinct_id: 'newest.distinct_id' },
}

/**
 * Writes the project's sessions: the events of each `$session_id`, aggregated. Columns of events are read in a separate SELECT, before
 * the events are grouped. Of a picked event, only the id is: its columns are read once for a session. CROSS JOIN has SQLite begin with the groups.
 */
function sessions(columns: ReadonlySet<string>, context: SqliteContext): string {
  const picked = Object.entries(OF_PICKED).filter(([, known]) =>
    [...columns].some((key) => Object.hasOwn(known, key)),
  )
  const values: Readonly<Record<string, Aggregated>> = { ...AGGREGATED, ...PICKED }
  const grouped = [
    ...[...columns].filter((key) => Object.hasOwn(AGGREGATED, key)),
    ...picked.map(([alias]) => alias),
  ]
  const reads = grouped.flatMap((key) => values[key]!.slice(1))
  const read = select(new Set(['session', ...reads]), SESSION_EVENTS)
  // A check for the id does not convert it to text.
  const rows = `${read} FROM events AS e WHERE ${ofProject('e', context)} AND e.properties ->> '$."$session_id"' <> ''`
  const sql = Object.fromEntries(grouped.map((key) => [key, values[key]![0]]))
  const groups = `${select(new Set(grouped), sql)} FROM (${rows} LIMIT -1) AS v GROUP BY v.session`
  if (picked.length === 0) return groups
  const ofGroups = Object.fromEntries(grouped.map((key) => [key, `g.${columnName(key)}`]))
  const joins = picked.map(
    ([alias]) =>
      `CROSS JOIN events AS ${alias} ON ${alias}.id = g.${columnName(alias)} AND ${ofProject(alias, context)}`,
  )
  const known = Object.assign(ofGroups, ...picked.map(([, each]) => each)) as Columns
  return `${select(columns, known)} FROM (${groups}) AS g ${joins.join(' ')}`
}
