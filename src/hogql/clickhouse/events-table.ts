// Events on ClickHouse, joined with what they refer to as far as a query asks for it: their person, groups and session.
import type { Context } from './context'
import { printSessions } from './sessions-table'
import { type Columns, GROUPS, isOfProject, PERSONS, printPlain, selected } from './columns'

const GROUP_TYPES = [0, 1, 2, 3, 4]

const property = (name: string) => `JSONExtract(e.properties, '${name}', 'Nullable(String)')`

const OWN: Columns = {
  uuid: 'e.uuid',
  event: 'e.event',
  properties: 'e.properties',
  timestamp: 'e.timestamp',
  created_at: 'e.created_at',
  distinct_id: 'e.distinct_id',
  // An event whose distinct id has no person counts as a person of its own.
  person_id: 'ifNull(d.person_id, e.distinct_id)',
  elements_chain: `ifNull(${property('$elements_chain')}, '')`,
  $session_id: property('$session_id'),
  $window_id: property('$window_id'),
  ...Object.fromEntries(
    GROUP_TYPES.map((index) => [`$group_${index}`, `ifNull(${property(`$group_${index}`)}, '')`]),
  ),
}

/** Where a key such as `person__properties` leads: the joined table's alias, and the column there. */
const BEHIND = /^(person|session|group_(\d))__(.+)$/

/** A SELECT of the project's events. */
export function printEvents(columns: ReadonlySet<string>, context: Context): string {
  const wanted = new Map<string, Set<string>>()
  const joined: Record<string, string> = {}
  for (const key of columns) {
    const [, object, , column] = BEHIND.exec(key) ?? []
    if (!object || !column) continue
    wanted.set(object, (wanted.get(object) ?? new Set()).add(column))
    joined[key] = `${object}.${column.includes('$') ? `\`${column}\`` : column}`
  }
  const needsPerson = columns.has('person_id') || wanted.has('person')
  return [
    `SELECT ${selected(columns, { ...OWN, ...joined })} FROM events AS e FINAL`,
    needsPerson && joinDistinctIds(context),
    ...[...wanted].map(([object, of]) => joinObject(object, of, context)),
    `WHERE ${isOfProject(context, 'e')}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const joinDistinctIds = (context: Context): string =>
  `LEFT JOIN (SELECT distinct_id, person_id FROM person_distinct_ids FINAL WHERE ${isOfProject(context)}) AS d
    ON d.distinct_id = e.distinct_id`.replace(/\s+/g, ' ')

function joinObject(object: string, columns: ReadonlySet<string>, context: Context): string {
  if (object === 'person') {
    const rows = printPlain('persons', PERSONS, new Set(['id', ...columns]), context)
    return `LEFT JOIN (${rows}) AS person ON person.id = d.person_id`
  }
  if (object === 'session') {
    const rows = printSessions(new Set(['session_id', ...columns]), context)
    return `LEFT JOIN (${rows}) AS session ON session.session_id = ${property('$session_id')}`
  }
  const index = Number(object.slice('group_'.length))
  const rows = printPlain('groups', GROUPS, new Set(['key', ...columns]), context)
  return `LEFT JOIN (${rows} AND \`index\` = ${index}) AS ${object} ON ${object}.key = ${property(`$group_${index}`)}`
}
