// Resolves property filters of a query to conditions on the sources of a SELECT.
import { type ActionStep, ActionSteps } from './action-steps'
import { reject, resolvePart } from '../../error'
import type { Expr } from '../../ir'
import { all, any, not, TRUE } from '../../ir-build'
import type { Call, Expression, Located } from '../../parser/ast'
import type { ParsedTree, PropertyFilter } from '../context/filters'
import type { Resolution } from '../context/resolution'
import type { NamedSource, Scope } from '../context/scope'
import { asCondition } from '../expressions/conditions'
import { findCohort, inCohort } from '../expressions/membership'
import { accessPath, listIn } from '../names/access'
import { findIn, readField } from '../names/columns'
import { idIn, isCohortType } from '../references'
import { actionCondition, findAction, selectorCondition } from './actions'
import { elementsCondition, filterCondition, flagCondition } from './property-filters'

export interface FilteredSources {
  scope: Scope
  events: NamedSource | undefined
  sessions: NamedSource | undefined
  groups: NamedSource | undefined
  persons: NamedSource | undefined
}

export function filteredSources(scope: Scope): FilteredSources {
  const named = (table: string) =>
    scope.sources.find(({ shape }) => shape.kind === 'table' && shape.schema.name === table)
  return {
    scope,
    events: named('events'),
    sessions: named('sessions'),
    groups: named('groups'),
    persons: named('persons'),
  }
}

export function treeCondition(
  r: Resolution,
  node: Located,
  tree: ParsedTree,
  filtered: FilteredSources,
): Expr {
  if (!('members' in tree)) return propertyCondition(r, node, tree, filtered)
  const [first, ...rest] = tree.members.map((member) => treeCondition(r, node, member, filtered))
  if (first === undefined) return TRUE
  return tree.join === 'or' ? any([first, ...rest]) : all([first, ...rest])
}

/** Returns a column of a source by its path, which may go through an object and into a document. */
export function column(r: Resolution, node: Located, source: NamedSource, path: readonly string[]): Expr {
  const [name = '', ...rest] = path
  const found = findIn(r, source, name, node)
  if (found?.kind === 'column') return accessPath(r, found.expr, rest, node)
  const [field = '', ...deeper] = rest
  const inside = found?.object.fields.get(field)
  const read = inside && found && readField(r, source, inside, found.object, node)
  return read?.kind === 'column'
    ? accessPath(r, read.expr, deeper, node)
    : reject(node, `Unable to resolve field: ${path.join('.')}`, 'unknown_field')
}

export function propertyCondition(
  r: Resolution,
  node: Located,
  filter: PropertyFilter,
  filtered: FilteredSources,
): Expr {
  const type = filter.type ?? 'event'
  const { events, sessions, groups, persons } = filtered
  if (type === 'person') requirePersonProperty(r, node, filter.key)
  if ((type === 'person' || type === 'person_metadata') && persons && !events) {
    const path = type === 'person' ? ['properties', filter.key] : [filter.key]
    return filterCondition(r, node, filter, column(r, node, persons, path))
  }
  if (type === 'hogql') return expressionCondition(r, node, filter, filtered.scope)
  if (type === 'action') return actionFilter(r, node, filter, filtered)
  if (isCohortType(type)) return cohortCondition(r, node, filter, filtered)
  const source = type === 'session' ? (sessions ?? events) : groups && type === 'group' ? groups : events
  if (source === undefined) return rejectType(node, type, filtered)
  if (type === 'element' && (filter.key === 'selector' || filter.key === 'tag_name'))
    return selectorFilter(r, node, filter, column(r, node, source, ['elements_chain']))
  const found = column(r, node, source, pathOf(node, filter, type, source))
  const isList = type === 'event' && LISTS.has(filter.key) && found.node === 'property'
  const value = isList ? listIn(found) : found
  if (type === 'flag') return flagCondition(r, node, filter, value)
  return value.type.kind === 'array'
    ? elementsCondition(r, node, filter, value)
    : filterCondition(r, node, filter, value)
}

/** Rejects a filter of events, or of an unknown type, where the query selects from another table. */
function rejectType(node: Located, type: string, { sessions, groups, persons }: FilteredSources): never {
  if (sessions)
    reject(
      node,
      'Can only use session properties in a filter when selecting from only the sessions table.',
      'invalid_query',
    )
  const supported = [
    ...(persons ? ['person', 'person_metadata', 'cohort'] : []),
    ...(groups ? ['group'] : []),
    'hogql',
  ]
  reject(
    node,
    `Filters of type '${type}' are for queries of events. Supported here: ${supported.join(', ')}`,
    'invalid_query',
  )
}

/** Properties of exceptions that are lists. As upstream, filters compare the elements of these, and the JSON text of any other property. */
const LISTS: ReadonlySet<string> = new Set(
  ['types', 'values', 'sources', 'functions'].map((name) => `$exception_${name}`),
)

/** Rejects `distinct_id`: flags give a person this property while they evaluate, but queries would find nobody. */
function requirePersonProperty({ context }: Resolution, node: Located, key: string): void {
  if (key !== 'distinct_id' || context.propertyTypes('person', key) !== undefined) return
  reject(
    node,
    "No person has a property 'distinct_id'. Filter events by it with the type 'event_metadata'; persons with the type 'hogql' by " +
      "person_id IN (SELECT person_id FROM person_distinct_ids WHERE distinct_id = '…')",
    'invalid_query',
  )
}

function selectorFilter(
  r: Resolution,
  node: Located,
  { key, operator, value }: PropertyFilter,
  chain: Expr,
): Expr {
  const selectors: unknown[] = Array.isArray(value) ? value : [value]
  const isValid = (selector: unknown) =>
    typeof selector === 'string' && (key === 'selector' || /^[\w-]+$/.test(selector))
  const [first, ...rest] = selectors.map((selector) =>
    isValid(selector)
      ? selectorCondition(r, node, selector as string, chain)
      : reject(
          node,
          `A filter on the '${key}' of elements takes ${key === 'selector' ? 'a CSS selector' : 'the name of a tag'}`,
          'invalid_query',
        ),
  )
  const isNegated = operator === 'is_not'
  if (first === undefined || !(isNegated || !operator || operator === 'exact'))
    reject(node, `A filter on the '${key}' of elements takes the operators 'exact' and 'is_not'`)
  const found = any([first, ...rest])
  return isNegated ? not(found) : found
}

/** Resolves a condition that is written as HogQL. */
function expressionCondition(r: Resolution, node: Located, { key }: PropertyFilter, scope: Scope): Expr {
  const expression = r.context.filterExpressions?.get(key)
  if (expression === undefined) return reject(node, `The filter '${key}' is not supported here`)
  return resolvePart(node, `The filter '${key}'`, () => asCondition(r, r.expr(expression, scope), node))
}

/** Returns the path to the value that a filter compares. */
function pathOf(node: Located, filter: PropertyFilter, type: string, source: NamedSource): string[] {
  const isEvents = source.shape.kind === 'table' && source.shape.schema.name === 'events'
  switch (type) {
    case 'event':
    case 'feature':
      return ['properties', filter.key]
    case 'event_metadata':
      return [filter.key]
    case 'flag':
      return ['properties', `$feature/${filter.key}`]
    case 'element':
      return [elementColumn(node, filter)]
    case 'person':
      return ['person', 'properties', filter.key]
    case 'person_metadata':
      return ['person', filter.key]
    case 'group':
      return isEvents
        ? [`group_${groupOf(node, filter)}`, 'properties', filter.key]
        : ['properties', filter.key]
    case 'session':
      return isEvents ? ['session', filter.key] : [filter.key]
    default:
      return reject(
        node,
        `Filters of type '${type}' are not supported. Supported: event, event_metadata, feature, person, person_metadata, group, session, cohort, element, flag, action, hogql`,
      )
  }
}

function groupOf(node: Located, { key, group_type_index: index }: PropertyFilter): number {
  if (typeof index === 'number' && index >= 0 && index <= 4) return index
  return reject(
    node,
    `The filter on '${key}' of a group needs a group_type_index from 0 to 4`,
    'invalid_query',
  )
}

/** The columns of an autocaptured event's elements. */
const ELEMENTS: Readonly<Record<string, string>> = {
  text: 'elements_chain_texts',
  href: 'elements_chain_href',
}

function elementColumn(node: Located, { key }: PropertyFilter): string {
  const found = Object.hasOwn(ELEMENTS, key) ? ELEMENTS[key] : undefined
  return (
    found ??
    reject(
      node,
      `Filters of elements are by ${[...Object.keys(ELEMENTS), 'tag_name'].join(', ')} and selector, and not by '${key}'`,
    )
  )
}

function cohortCondition(
  r: Resolution,
  node: Located,
  filter: PropertyFilter,
  { events, persons }: FilteredSources,
): Expr {
  const id =
    idIn(filter.value) ?? reject(node, 'A filter on a cohort takes its id, a whole number', 'invalid_query')
  const operator = filter.operator ?? 'in'
  const negated = operator === 'not_in' || operator === 'is_not'
  if (!negated && operator !== 'in' && operator !== 'exact')
    reject(node, `A filter on a cohort takes the operator 'in' or 'not_in', and got '${operator}'`)
  const person = events ? column(r, node, events, ['person_id']) : persons && column(r, node, persons, ['id'])
  if (!person) reject(node, 'A filter on a cohort is for queries of events or persons', 'invalid_query')
  return inCohort(r, person, findCohort(r, id, node), negated)
}

/** Resolves `matchesAction(1)` and `matchesAction('Paid')`, which test whether an event of the SELECT matches an action. */
export function matchesAction(
  r: Resolution,
  node: Call,
  [reference, ...others]: readonly Expression[],
  scope: Scope,
): Expr {
  if (reference?.node !== 'Constant' || others.length > 0)
    reject(node, "'matchesAction' takes the id or the name of an action, as a constant", 'invalid_query')
  return actionMatches(r, reference, reference.value, filteredSources(scope))
}

/** Resolves a filter on an action by its id, or by steps in the filter. */
function actionFilter(r: Resolution, node: Located, filter: PropertyFilter, filtered: FilteredSources): Expr {
  const { key, value } = filter
  const matched =
    key === 'steps'
      ? eventsMatch(r, node, stepsIn(node, value), filtered)
      : actionMatches(r, node, idIn(value) ?? value, filtered)
  return filter.operator === 'is_not' || filter.operator === 'not_in' ? not(matched) : matched
}

const stepsIn = (node: Located, value: unknown): readonly ActionStep[] =>
  ActionSteps.safeParse(value).data ?? reject(node, 'The steps of an action are malformed', 'invalid_query')

/** Tests whether an event matches an action of the project. Errors name it as the query does. */
function actionMatches(r: Resolution, node: Located, reference: unknown, filtered: FilteredSources): Expr {
  const steps = findAction(r, reference, node)
  return resolvePart(node, `Action ${JSON.stringify(reference)}`, () => eventsMatch(r, node, steps, filtered))
}

function eventsMatch(
  r: Resolution,
  node: Located,
  steps: readonly ActionStep[],
  filtered: FilteredSources,
): Expr {
  const { events } = filtered
  if (!events) reject(node, 'An action is for queries of events', 'invalid_query')
  const condition = actionCondition(r, node, steps, {
    column: (...path) => column(r, node, events, path),
    tree: (tree) => treeCondition(r, node, tree, filtered),
  })
  return r.reuse(condition, node)
}
