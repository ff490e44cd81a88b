// Writes the output of the command: the plan and the result. The functions are pure.
import type { CheckResult } from '../../import/check-people'
import type { Action, Step } from '../../import/plan'
import { KIND_TITLES, KINDS } from '../../import/model'

const ACTIONS: readonly Action[] = ['create', 'update', 'same', 'kept', 'blocked']

const ACTION_TITLES: Record<Action, string> = {
  create: 'to create',
  update: 'to update',
  same: 'the same',
  kept: 'kept as here',
  blocked: 'not possible',
}

/** The most keys in a line of the report; further ones are counted. */
const MAX_LISTED = 50

/** Returns the lines of a plan, by kind: unchanged, changed with the reason, kept, and impossible items. */
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
  // Steps that this run does not write do not count as changed.
  const changed = steps.filter(
    ({ action, item }) => (action === 'create' || action === 'update') && item.changes.length > 0,
  )
  const asItIs = of('create').filter(({ item }) => item.changes.length === 0)
  return [
    ...(asItIs.length > 0 ? [`  as it is: ${listed(asItIs.map(({ item }) => item.key))}`] : []),
    ...of('update').map(({ item, fields }) => `  updates ${item.key}: ${fields.join(', ')}`),
    ...changed.flatMap(({ item }) => item.changes.map((change) => `  changes ${item.key}: ${change}`)),
    ...grouped(of('kept')).map((line) => `  keeps ${line}; --overwrite takes the source's`),
    ...grouped(of('blocked')).map((line) => `  cannot ${line}`),
  ]
}

/** Returns one line for all items with the same reason. */
const grouped = (steps: readonly Step[]): string[] =>
  [...Map.groupBy(steps, ({ reason }) => reason ?? '')].map(
    ([reason, own]) => `${listed(own.map(({ item }) => item.key))}: ${reason}`,
  )

export const listed = (keys: readonly string[]): string =>
  keys.length <= MAX_LISTED
    ? keys.join(', ')
    : `${keys.slice(0, MAX_LISTED).join(', ')} and ${keys.length - MAX_LISTED} more`

/** The most differences of one flag that are listed. */
const MAX_DIFFERENCES = 100

/** Returns the lines of a check, by flag. */
export function checkReport({ people, known, isStored, differences }: CheckResult): string[] {
  const ofSource =
    known === 0 ? '' : isStored ? ', as each side has stored them' : ', with their properties there'
  const who = `${people.toLocaleString('en-US')} people (${known} of the source${ofSource}, ${people - known} made up)`
  if (differences.length === 0) return [`The flags of both sides say the same of ${who}.`]
  const byFlag = Map.groupBy(differences, ({ flag }) => flag)
  return [
    `${byFlag.size} ${byFlag.size === 1 ? 'flag differs' : 'flags differ'} for some of ${who}:`,
    ...[...byFlag].flatMap(([flag, own]) => [
      `  ${flag}: ${own.length} people`,
      ...own
        .slice(0, MAX_DIFFERENCES)
        .map(({ distinctId, there, here }) => `    ${distinctId}: ${there} there, ${here} here`),
      ...(own.length > MAX_DIFFERENCES ? [`    and ${own.length - MAX_DIFFERENCES} more`] : []),
    ]),
  ]
}
