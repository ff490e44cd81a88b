// Resolves placeholders: `{variables.x}`, `{filters}` and the bounds of its date range.
import type { CompareOp, Expr } from '../../ir'
import type { Located, Placeholder } from '../../parser/ast'
import { arrayOf, BOOLEAN, FLOAT, INTEGER, nullable, STRING, type Type } from '../../types'
import { all, literal, NULL_LITERAL, TRUE } from '../../ir-build'
import { measure } from '../../ir-walk'
import { compare } from './comparisons'
import type { Resolution, VariableType } from '../context/resolution'
import {
  column,
  type FilteredSources,
  filteredSources,
  propertyCondition,
  treeCondition,
} from '../filters/filter-conditions'
import { namesInPlaceholder, filtersOf } from '../context/filter-range'
import { filtersIn, type ParsedFilters, parseFilterTree } from '../context/filters'
import { reject } from '../../error'
import { parseFilterDate } from '../dates/relative-dates'
import type { Scope } from '../context/scope'
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

/** Resolves a value of the query's JSON as if it were written in the text. */
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
  if (Array.isArray(value)) r.countResolved(value.length, node)
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

/** The types of variables. A date is a text until a datetime is needed. */
const VARIABLE_TYPES: Record<VariableType, Type> = {
  String: nullable(STRING),
  Number: nullable(FLOAT),
  Boolean: nullable(BOOLEAN),
  List: nullable(arrayOf(STRING)),
  Date: nullable(STRING),
}

/** Resolves `{filters}` as a condition on the SELECT's sources, and the bounds of its date range as datetimes. */
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
  return counted(r, node, treeCondition(r, node, tree, filteredSources(scope)), filtersIn(tree).length)
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
  const conditions = all([
    ...filters.properties.map((filter) => propertyCondition(r, node, filter, filtered)),
    ...bound('<', filters.to),
    ...bound('>=', filters.from),
  ])
  return counted(r, node, conditions, filters.properties.length)
}

/** The number of expressions that a filter counts as. */
const EXPRESSIONS_PER_FILTER = 30

/** Counts the expressions of filters, which are resolved again for each of their placeholders. */
function counted(r: Resolution, node: Located, conditions: Expr, filters: number): Expr {
  r.countResolved(measure(conditions).size + EXPRESSIONS_PER_FILTER * filters, node)
  return conditions
}

/** Returns the column that the date range filters. */
function timestampColumn(r: Resolution, node: Located, { events, sessions, groups }: FilteredSources): Expr {
  if (groups) return column(r, node, groups, ['created_at'])
  if (events) return column(r, node, events, ['timestamp'])
  return sessions ? column(r, node, sessions, ['$start_timestamp']) : TRUE
}
