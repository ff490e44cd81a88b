// What an import says of its plan and of what it did. Pure.
import { KINDS, type Kind, type Stream } from './model'
import type { Action, Step } from './plan'

export const KIND_TITLES: Record<Kind, string> = {
  group_type: 'Group types',
  event_definition: 'Definitions of events',
  property_definition: 'Definitions of properties',
  variable: 'Variables',
  cohort: 'Cohorts',
  flag: 'Flags',
  query: 'Saved queries',
}

export const STREAM_TITLES: Record<Stream, string> = {
  event: 'Events',
  group: 'Groups',
  person: 'Persons',
}

const ACTIONS: readonly Action[] = ['create', 'update', 'same', 'kept', 'blocked']

const ACTION_TITLES: Record<Action, string> = {
  create: 'to create',
  update: 'to update',
  same: 'the same',
  kept: 'kept as here',
  blocked: 'not possible',
}

/** Without characters that a terminal would obey: texts come from another service. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '\uFFFD')

/** Keys in a line of the report; more are counted. */
const MAX_LISTED = 50

/** The lines of a plan: by kind, what comes over as it is, what changes and why, what is kept and what cannot come over. */
export function reportOf(steps: readonly Step[]): string[] {
  return KINDS.flatMap((kind) => {
    const own = steps.filter(({ item }) => item.kind === kind)
    return own.length === 0 ? [] : [`${KIND_TITLES[kind]}: ${counts(own)}`, ...linesOf(own)]
  })
}

const counts = (steps: readonly Step[]): string =>
  ACTIONS.map((action) => ({ action, count: steps.filter((step) => step.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count} ${ACTION_TITLES[action]}`)
    .join(', ')

function linesOf(steps: readonly Step[]): string[] {
  const of = (action: Action) => steps.filter((step) => step.action === action)
  const changed = steps.filter(({ action, item }) => action !== 'blocked' && item.changes.length > 0)
  const asItIs = of('create').filter(({ item }) => item.changes.length === 0)
  return [
    ...(asItIs.length > 0 ? [`  as it is: ${listed(asItIs.map(({ item }) => item.key))}`] : []),
    ...of('update').map(({ item, fields }) => `  updates ${item.key}: ${fields.join(', ')}`),
    ...changed.flatMap(({ item }) => item.changes.map((change) => `  changes ${item.key}: ${change}`)),
    ...grouped(of('kept')).map((line) => `  keeps ${line}; --overwrite takes the source's`),
    ...grouped(of('blocked')).map((line) => `  cannot ${line}`),
  ]
}

/** One line for all items with one reason. */
function grouped(steps: readonly Step[]): string[] {
  const byReason = new Map<string, string[]>()
  for (const { item, reason } of steps) {
    const keys = byReason.get(reason ?? '') ?? []
    keys.push(item.key)
    byReason.set(reason ?? '', keys)
  }
  return [...byReason].map(([reason, keys]) => `${listed(keys)}: ${reason}`)
}

export const listed = (keys: readonly string[]): string =>
  keys.length <= MAX_LISTED
    ? keys.join(', ')
    : `${keys.slice(0, MAX_LISTED).join(', ')} and ${keys.length - MAX_LISTED} more`
