// Resolves a name, which may be a lambda parameter, table, alias, column or CTE. They are tried in this order.
import type { Expr } from '../../ir'
import type { Field } from '../../parser/ast'
import type { ObjectSchema } from '../../tables/schema'
import { accessPath } from './access'
import type { Resolution } from '../context/resolution'
import { reject } from '../../error'
import { findIn, findInSources, namesOf, readField, type FoundField } from './columns'
import { didYouMean } from '../../suggest'
import { textOf } from '../context/source-text'
import { CLOCK_FORMS } from '../dates/date-functions'
import { findCte, type NamedSource, type Scope } from '../context/scope'

export function resolveField(r: Resolution, node: Field, scope: Scope): Expr {
  const chain = node.chain.map(String)
  if (chain.includes('*')) {
    reject(
      node,
      `${chain.join('.')} can only be an item of SELECT, or the argument of count()`,
      'invalid_query',
    )
  }
  const found = resolveInScope(r, node, chain, scope)
  if (found !== undefined) return found
  for (let around = scope.outer; around !== null; around = around.outer) {
    if (!namesIn(around).includes(String(node.chain[0]))) continue
    reject(
      node,
      `A subquery cannot read '${chain.join('.')}' of the query around it: use a JOIN, or IN (SELECT …)`,
    )
  }
  return reject(node, `Unable to resolve field: ${chain.join('.')}${hintOn(r, node, scope)}`, 'unknown_field')
}

/** Returns a hint at what was meant by an unknown name: a text in double quotes, a property, a function or a name in scope. */
function hintOn(r: Resolution, node: Field, scope: Scope): string {
  const [name = ''] = node.chain.map(String)
  if (textOf(r, node).startsWith('"')) {
    return ` (double quotes are for names of fields: write '${name.replaceAll("'", "\\'")}' for a text)`
  }
  const property = propertyNamed(r, name, scope)
  if (property !== undefined) return ` (did you mean ${property}?)`
  const call = name.toLowerCase()
  if (node.chain.length === 1 && CALLS.has(call)) return ` (did you mean ${call}()?)`
  const meant = didYouMean(name, namesIn(scope)) || groupHint(node.chain.slice(1).map(String), scope.tables)
  return meant === '' && scope.isKey
    ? ` (no column of SELECT has this name: write … AS ${pathOf(name)} there)`
    : meant
}

/** Functions without arguments. Other databases have some of these names without parentheses, such as CURRENT_DATE. */
const CALLS: ReadonlySet<string> = new Set(['count', ...CLOCK_FORMS.map(([name]) => name)])

/** Returns a hint for a name before fields of a group: upstream takes the name of the group's type. */
const groupHint = (path: readonly string[], tables: Scope['tables']): string =>
  tables.has('events') && ['key', 'created_at', 'properties'].includes(path[0] ?? '')
    ? ` (a group is named by the index of its type: group_0.${path.join('.')})`
    : ''

const namesIn = ({ aliases, parameters, sources }: Scope): string[] => [
  ...aliases.keys(),
  ...parameters.keys(),
  ...sources.flatMap((source) => [...namesOf(source), ...(source.name ? [source.name] : [])]),
]

const pathOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `\`${name}\``)

/** Returns the path of a defined property of this name. */
function propertyNamed({ context }: Resolution, name: string, { tables }: Scope): string | undefined {
  const path = pathOf(name)
  const isDefined = (owner: 'event' | 'person') => context.propertyTypes(owner, name) !== undefined
  if (tables.has('events') && isDefined('event')) return `properties.${path}`
  if (tables.has('events') && isDefined('person')) return `person.properties.${path}`
  return tables.has('persons') && isDefined('person') ? `properties.${path}` : undefined
}

function resolveInScope(
  r: Resolution,
  node: Field,
  chain: readonly string[],
  scope: Scope,
): Expr | undefined {
  const [name = '', ...path] = chain
  const parameter = scope.parameters.get(name)
  if (parameter !== undefined) return accessPath(r, parameter, path, node)

  const [column, ...rest] = path
  const source = column === undefined ? undefined : findSource(scope, name)
  if (source !== undefined && column !== undefined) {
    const found = findIn(r, source, column, node)
    if (found === undefined) {
      const meant = didYouMean(column, namesOf(source)) || groupHint(rest, scope.tables)
      reject(node, `Unable to resolve field: ${chain.join('.')}${meant}`, 'unknown_field')
    }
    return resolvePath(r, node, found, rest)
  }

  const alias = scope.aliases.get(name)
  if (alias !== undefined) return accessPath(r, r.reuse(alias, node), path, node)

  const found = findInSources(r, scope, name, node)
  if (found !== undefined) return resolvePath(r, node, found, path)

  return resolveCte(r, node, chain, scope)
}

export const findSource = (scope: Scope, name: string): NamedSource | undefined =>
  scope.sources.find((source) => source.name === name)

/** Resolves the rest of a path after a column or an object such as `person`. */
function resolvePath(r: Resolution, node: Field, found: FoundField, path: readonly string[]): Expr {
  if (found.kind === 'column') return accessPath(r, found.expr, path, node)
  return resolveObjectPath(r, node, found.source, found.object, path)
}

function resolveObjectPath(
  r: Resolution,
  node: Field,
  source: NamedSource,
  object: ObjectSchema,
  [name, ...path]: readonly string[],
): Expr {
  const whole = node.chain.join('.')
  if (name === undefined) {
    const names = [...object.fields.keys()].join(', ')
    reject(node, `${whole} is not a column: name one of its fields (${names})`, 'unknown_field')
  }
  const field = object.fields.get(name)
  if (field === undefined) {
    const properties = object.fields.get('properties')
    const owner = properties && 'owner' in properties ? properties.owner : undefined
    const isProperty = owner !== undefined && r.context.propertyTypes(owner, name) !== undefined
    const place = node.chain.slice(0, -1 - path.length).join('.')
    const meant = isProperty
      ? ` (did you mean ${place}.properties.${pathOf(name)}?)`
      : didYouMean(name, object.fields.keys())
    reject(node, `Unable to resolve field: ${whole}${meant}`, 'unknown_field')
  }
  return resolvePath(r, node, readField(r, source, field, object, node), path)
}

/** Resolves a name of `WITH expression AS name`: the expression replaces the name. */
function resolveCte(r: Resolution, node: Field, chain: readonly string[], scope: Scope): Expr | undefined {
  const [name = '', ...path] = chain
  const entry = findCte(scope.environment, name)
  if (entry?.kind !== 'expression' || scope.resolving.has(name)) return undefined
  scope.resolving.add(name)
  try {
    return accessPath(r, r.reuse(r.expr(entry.expression, scope), node), path, node)
  } finally {
    scope.resolving.delete(name)
  }
}
