// Placeholders: `{variables.x}`, `{filters}` and the bounds of its date range.
import type { CompareOp, Expr } from '../../ir'
import type { Located, Placeholder } from '../../parser/ast'
import { arrayOf, BOOLEAN, FLOAT, INTEGER, nullable, STRING, type Type } from '../../types'
import { all, any, literal, NULL_LITERAL, TRUE } from '../../ir-build'
import { compare } from './comparisons'
import type { Resolution, VariableType } from '../context/resolution'
import { elementsCondition, filterCondition, flagCondition } from './property-filters'
import { namesInPlaceholder, filtersOf } from '../context/filter-range'
import { type PropertyFilter, type ParsedFilters, type ParsedTree, parseFilterTree } from '../context/filters'
import { accessPath } from '../names/access'
import { asCondition } from './conditions'
import { findCohort, inCohort } from './membership'
import { isCohortType } from '../references'
import { HogqlError, reject } from '../../error'
import { parseFilterDate } from '../dates/relative-dates'
import { findIn, readField } from '../names/columns'
import type { NamedSource, Scope } from '../context/scope'
import { textOf } from '../context/source-text'
import { unify } from '../types/unify'

export function resolvePlaceholder(r: Resolution, node: Placeholder, scope: Scope): Expr {
  const [root, ...path] = namesInPlaceholder(node) ?? []
  if (root === 'variables' && path.length === 1) return resolveVariable(r, node, path[0] ?? '')
  if (root === 'filters') return resolveFilters(r, node, path, scope)
  if (root === 'fragments' && path.length === 1) return resolveFragment(r, node, path[0] ?? '', scope)
  const { values } = r.context
  if (root !== undefined && path.length === 0 && values && Object.hasOwn(values, root))
    return resolveValue(r, node, values[root])
  return reject(node, `Unresolved placeholder: ${textOf(r, node) || `{${root ?? ''}}`}`, 'invalid_query')
}

/** A value out of the JSON of the query, as if it were written in the text. */
function resolveValue(r: Resolution, node: Placeholder, value: unknown): Expr {
  if (value === null) return NULL_LITERAL
  switch (typeof value) {
    case 'boolean':
      return literal(value, BOOLEAN)
    case 'string':
      return literal(value, STRING)
    case 'number':
      return literal(value, Number.isSafeInteger(value) ? INTEGER : FLOAT)
  }
  const unified = Array.isArray(value)
    ? unify(
        value.map((item) => resolveValue(r, node, item)),
        r.context.timezone,
      )
    : undefined
  if (unified) return { node: 'array', items: unified.exprs, type: arrayOf(unified.type) }
  return reject(
    node,
    `The value of ${textOf(r, node)} must be text, a number, a boolean, null, or a list of one of these`,
    'type_mismatch',
  )
}

function resolveVariable(r: Resolution, node: Located, name: string): Expr {
  if (!Object.hasOwn(r.context.variables, name)) {
    reject(node, `Query references undefined variable(s): ${name}`, 'invalid_query')
  }
  r.useVariable(name)
  return { node: 'variable', name, type: VARIABLE_TYPES[r.context.variables[name] ?? 'String'] }
}

/** A date is a text until a datetime is needed. */
const VARIABLE_TYPES: Record<VariableType, Type> = {
  String: nullable(STRING),
  Number: nullable(FLOAT),
  Boolean: nullable(BOOLEAN),
  List: nullable(arrayOf(STRING)),
  Date: nullable(STRING),
}

/** `{filters}` as a condition on the SELECT's sources; its date range's bounds as datetimes (reference §8.1). */
function resolveFilters(r: Resolution, node: Placeholder, path: readonly string[], scope: Scope): Expr {
  const filters = filtersOf(r, node)
  const rest = path.join('.')
  if (rest === '') return filtersCondition(r, node, filters, scope)
  if (rest === 'dateRange.from' || rest === 'dateRange.to') {
    const bound = rest === 'dateRange.from' ? filters.from : filters.to
    if (bound !== null) return boundOf(r, node, bound)
    const written = `{filters.${rest}}`
    return reject(
      node,
      `The \`${written}\` placeholder must be used directly in a comparison (e.g. \`timestamp > ${written}\`), not nested inside a function call, when the date range is not set.`,
      'invalid_query',
    )
  }
  return reject(
    node,
    `Unsupported filters placeholder \`{filters.${rest}}\`. Supported filters placeholders are: \`{filters}\`, \`{filters.dateRange.from}\`, \`{filters.dateRange.to}\`.`,
    'invalid_query',
  )
}

function boundOf(r: Resolution, node: Located, written: string): Expr {
  const moment = parseFilterDate(written, r.context.timezone)
  return moment ?? reject(node, `The filters of the query have an invalid date '${written}'`, 'invalid_query')
}

function resolveFragment(r: Resolution, node: Placeholder, name: string, scope: Scope): Expr {
  const { fragments = {} } = r.context
  if (!Object.hasOwn(fragments, name)) {
    reject(node, `Unresolved placeholder: {fragments.${name}}`, 'invalid_query')
  }
  const tree =
    parseFilterTree(fragments[name]) ??
    reject(node, 'The filters of the query are malformed', 'invalid_query')
  return treeCondition(r, node, tree, filteredSources(scope))
}

function treeCondition(r: Resolution, node: Placeholder, tree: ParsedTree, filtered: FilteredSources): Expr {
  if (!('members' in tree)) return propertyCondition(r, node, tree, filtered)
  const [first, ...rest] = tree.members.map((member) => treeCondition(r, node, member, filtered))
  if (first === undefined) return TRUE
  return tree.join === 'or' ? any([first, ...rest]) : all([first, ...rest])
}

interface FilteredSources {
  scope: Scope
  events: NamedSource | undefined
  sessions: NamedSource | undefined
  groups: NamedSource | undefined
  persons: NamedSource | undefined
}

function filteredSources(scope: Scope): FilteredSources {
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

function filtersCondition(r: Resolution, node: Placeholder, filters: ParsedFilters, scope: Scope): Expr {
  const filtered = filteredSources(scope)
  if (!filtered.events && !filtered.sessions && !filtered.groups) {
    reject(
      node,
      "Cannot use 'filters' placeholder in a SELECT clause that does not select from the events, sessions, logs, traces or groups table.",
      'invalid_query',
    )
  }
  const bound = (op: CompareOp, date: string | null): Expr[] =>
    date === null ? [] : [compare(r, op, timestampColumn(r, node, filtered), boundOf(r, node, date), node)]
  return all([
    ...filters.properties.map((filter) => propertyCondition(r, node, filter, filtered)),
    ...bound('<', filters.to),
    ...bound('>=', filters.from),
  ])
}

/** The column that the date range filters. */
function timestampColumn(r: Resolution, node: Located, { events, sessions, groups }: FilteredSources): Expr {
  if (groups) return column(r, node, groups, ['created_at'])
  if (events) return column(r, node, events, ['timestamp'])
  return sessions ? column(r, node, sessions, ['$start_timestamp']) : TRUE
}

/** A column of a source by its path, through an object and into a document. */
function column(r: Resolution, node: Located, source: NamedSource, path: readonly string[]): Expr {
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

function propertyCondition(
  r: Resolution,
  node: Placeholder,
  filter: PropertyFilter,
  filtered: FilteredSources,
): Expr {
  const type = filter.type ?? 'event'
  const { events, sessions, groups, persons } = filtered
  if (type === 'person' && persons && !events)
    return filterCondition(r, node, filter, column(r, node, persons, ['properties', filter.key]))
  if (type === 'hogql') return expressionCondition(r, node, filter, filtered.scope)
  if (isCohortType(type) && events) return cohortCondition(r, node, filter, events)
  const source = type === 'session' ? (sessions ?? events) : groups && type === 'group' ? groups : events
  if (source === undefined) {
    reject(
      node,
      'Can only use session properties in a filter when selecting from only the sessions table.',
      'invalid_query',
    )
  }
  const value = column(r, node, source, pathOf(node, filter, type, source))
  if (type === 'flag') return flagCondition(r, node, filter, value)
  return value.type.kind === 'array'
    ? elementsCondition(r, node, filter, value)
    : filterCondition(r, node, filter, value)
}

/** A condition that is written as HogQL. */
function expressionCondition(r: Resolution, node: Placeholder, { key }: PropertyFilter, scope: Scope): Expr {
  const expression = r.context.filterExpressions?.get(key)
  if (expression === undefined) return reject(node, `The filter '${key}' is not supported here`)
  try {
    return asCondition(r, r.expr(expression, scope), node)
  } catch (error) {
    if (error instanceof HogqlError) reject(node, `The filter '${key}': ${error.message}`, error.code)
    throw error
  }
}

/** The path to the value that a filter compares. */
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
        ? [`group_${filter.group_type_index ?? 0}`, 'properties', filter.key]
        : ['properties', filter.key]
    case 'session':
      return isEvents ? ['session', filter.key] : [filter.key]
    default:
      return reject(
        node,
        `Filters of type '${type}' are not supported. Supported: event, event_metadata, feature, person, person_metadata, group, session, cohort, element, flag, hogql`,
      )
  }
}

/** Columns of an autocaptured event's elements. */
const ELEMENTS: Readonly<Record<string, string>> = {
  text: 'elements_chain_texts',
  tag_name: 'elements_chain_elements',
  href: 'elements_chain_href',
}

function elementColumn(node: Located, { key }: PropertyFilter): string {
  const found = Object.hasOwn(ELEMENTS, key) ? ELEMENTS[key] : undefined
  return (
    found ??
    reject(node, `Filters of elements are by ${Object.keys(ELEMENTS).join(', ')}, and not by '${key}'`)
  )
}

function cohortCondition(r: Resolution, node: Located, filter: PropertyFilter, events: NamedSource): Expr {
  const id = Number(filter.value)
  if (!Number.isSafeInteger(id)) reject(node, 'A filter on a cohort takes its id', 'invalid_query')
  const negated = filter.operator === 'not_in' || filter.operator === 'is_not'
  return inCohort(r, column(r, node, events, ['person_id']), findCohort(r, id, node), negated)
}
