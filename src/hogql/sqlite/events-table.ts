// Events on D1, joined with what they refer to as far as a query asks for it: their person, groups and session.
import { type Columns, eventProperty, ofProject, select } from './columns'
import { columnName, type Context } from './context'
import { printSessions } from './sessions-table'

const GROUP_TYPES = [0, 1, 2, 3, 4]

const group = (index: number) => `ifnull(${eventProperty(`$group_${index}`)}, '')`

const COLUMNS: Columns = {
  uuid: 'e.uuid',
  event: 'e.event',
  properties: 'e.properties',
  timestamp: 'e.timestamp',
  created_at: 'e.created_at',
  distinct_id: 'e.distinct_id',
  // An event whose distinct id has no person counts as a person of its own.
  person_id: 'ifnull(d.person_uuid, e.distinct_id)',
  elements_chain: `ifnull(${eventProperty('$elements_chain')}, '')`,
  $session_id: eventProperty('$session_id'),
  $window_id: eventProperty('$window_id'),
  ...Object.fromEntries(GROUP_TYPES.map((index) => [`$group_${index}`, group(index)])),
  person__created_at: 'p.created_at',
  person__properties: 'p.properties',
  person__is_identified: 'p.is_identified',
  ...Object.fromEntries(
    GROUP_TYPES.flatMap((index) => [
      [`group_${index}__key`, `g${index}.group_key`],
      [`group_${index}__created_at`, `g${index}.created_at`],
      [`group_${index}__properties`, `g${index}.properties`],
    ]),
  ),
}

const SESSION = 'session__'

/** A SELECT of the project's events. */
export function printEvents(columns: ReadonlySet<string>, context: Context): string {
  const session = new Set(
    [...columns].filter((key) => key.startsWith(SESSION)).map((key) => key.slice(SESSION.length)),
  )
  const ofSession = Object.fromEntries([...session].map((key) => [SESSION + key, `s.${columnName(key)}`]))
  const uses = (prefix: string) => [...columns].some((key) => key.startsWith(prefix))
  return [
    `${select(columns, { ...COLUMNS, ...ofSession })} FROM events AS e`,
    (columns.has('person_id') || uses('person__')) && joinDistinctId(context),
    uses('person__') && `LEFT JOIN persons AS p ON ${ofProject('p', context)} AND p.uuid = d.person_uuid`,
    ...GROUP_TYPES.map((index) => uses(`group_${index}__`) && joinGroup(index, context)),
    session.size > 0 &&
      `LEFT JOIN (${printSessions(new Set(['session_id', ...session]), context)}) AS s ON s.session_id = ${eventProperty('$session_id')}`,
    `WHERE ${ofProject('e', context)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const joinDistinctId = (context: Context): string =>
  `LEFT JOIN person_distinct_ids AS d ON ${ofProject('d', context)} AND d.distinct_id = e.distinct_id`

const joinGroup = (index: number, context: Context): string =>
  `LEFT JOIN groups AS g${index} ON ${ofProject(`g${index}`, context)} AND g${index}.type_index = ${index} ` +
  `AND g${index}.group_key = ${group(index)}`
