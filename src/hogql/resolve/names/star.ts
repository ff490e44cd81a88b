// Resolves `*`, `t.*`, `person.*` and `* EXCLUDE (…)` to columns.
import type { Expr } from '../../ir'
import type { ColumnsExpr, Expression, Field } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { findSource } from './field'
import { reject } from '../../error'
import { findIn, findInSources, readColumn } from './columns'
import type { NamedSource, Scope } from '../context/scope'
import { textOf } from '../context/source-text'

export interface Column {
  name: string
  expr: Expr
}

/** Returns undefined for an item that is not a star. */
export function starColumns(r: Resolution, node: Expression, scope: Scope): Column[] | undefined {
  if (node.node === 'Field' && node.chain.at(-1) === '*') return fieldColumns(r, node, scope)
  return node.node === 'ColumnsExpr' ? excludedColumns(r, node, scope) : undefined
}

function fieldColumns(r: Resolution, node: Field, scope: Scope): Column[] {
  const [name, ...others] = node.chain.slice(0, -1).map(String)
  if (name === undefined) return allColumns(r, node, scope, NO_NAMES)
  const source = others.length === 0 ? findSource(scope, name) : undefined
  if (source !== undefined)
    return namesOf(source).map((column, index) => columnAt(r, source, column, index, node))
  return objectColumns(r, node, [name, ...others], scope)
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** Returns the names that `*` includes. */
const namesOf = ({ shape }: NamedSource): string[] =>
  shape.kind === 'table' ? [...shape.schema.star] : shape.columns.map(({ name }) => name)

/** Returns the columns of `*`. Each column that a join with USING merged is included once. */
function allColumns(r: Resolution, node: Expression, scope: Scope, excluded: ReadonlySet<string>): Column[] {
  if (scope.sources.length === 0) reject(node, 'Cannot resolve * without a FROM clause', 'invalid_query')
  return scope.sources.flatMap((source) =>
    namesOf(source).flatMap((name, index) => {
      if (excluded.has(name)) return []
      const merged = scope.merged.get(name)
      if (!merged?.sources.includes(source)) return columnAt(r, source, name, index, node)
      return source === merged.sources[0] ? { name, expr: merged.expr } : []
    }),
  )
}

/** Returns a column by its index, because two columns of a subquery may have the same name. */
function columnAt(r: Resolution, source: NamedSource, name: string, index: number, node: Expression): Column {
  if (source.shape.kind !== 'table') {
    return { name, expr: readColumn(r, source, source.shape.columns[index]!) }
  }
  const found = findIn(r, source, name, node)
  if (found?.kind !== 'column') throw new Error(`${name} is no column behind *`)
  return { name, expr: found.expr }
}

/** Returns the columns of `person.*` and `events.person.*`. */
function objectColumns(r: Resolution, node: Field, chain: readonly string[], scope: Scope): Column[] {
  const [first = '', second] = chain
  const source = findSource(scope, first)
  const found =
    source && second !== undefined ? findIn(r, source, second, node) : findInSources(r, scope, first, node)
  if (found?.kind !== 'object') reject(node, `Unable to resolve field: ${chain.join('.')}`, 'unknown_field')
  return [...found.object.fields].flatMap(([name, column]) =>
    'key' in column ? { name, expr: readColumn(r, found.source, column) } : [],
  )
}

function excludedColumns(r: Resolution, node: ColumnsExpr, scope: Scope): Column[] {
  if (!node.all_columns) reject(node, 'COLUMNS(…) is not supported')
  const excluded = new Set(node.exclude ?? [])
  const source = tableBeforeExclude(r, node, scope)
  const known = new Set((source ? [source] : scope.sources).flatMap(namesOf))
  for (const name of excluded) {
    if (!known.has(name)) reject(node, `Unable to resolve field: ${name}`, 'unknown_field')
  }
  return source
    ? namesOf(source).flatMap((name, index) =>
        excluded.has(name) ? [] : columnAt(r, source, name, index, node),
      )
    : allColumns(r, node, scope, excluded)
}

/** Returns the table of `t.* EXCLUDE (…)`. It is found in the text, because the parser drops it. */
function tableBeforeExclude(r: Resolution, node: ColumnsExpr, scope: Scope): NamedSource | undefined {
  const written = textOf(r, node)
  if (written === '' || written.startsWith('*')) return undefined
  const name = /^([\w$]+)\s*\.\s*\*/.exec(written)?.[1] ?? written
  return findSource(scope, name) ?? reject(node, `Unable to resolve field: ${name}`, 'unknown_field')
}
