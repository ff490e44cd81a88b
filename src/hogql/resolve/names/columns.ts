// Finds names among the sources of a SELECT.
import type { Expr, Item, Query } from '../../ir'
import type { Located } from '../../parser/ast'
import {
  type ColumnSchema,
  type ExpressionSchema,
  type FieldSchema,
  isComputed,
  isExpression,
  isJoined,
  isObject,
  type ObjectSchema,
  type TableSchema,
} from '../../tables/schema'
import { column as columnExpr } from '../../ir-build'
import { nullable, required, type Type } from '../../types'
import type { Resolution } from '../context/resolution'
import { isDefinedText, isPropertyText, markPropertyText } from '../types/properties'
import { reject } from '../../error'
import { resolveText } from '../context/source-text'
import type { DerivedColumn, NamedSource, Scope } from '../context/scope'
import { sameExpr } from '../../ir-walk'

export type FoundField =
  | { kind: 'column'; expr: Expr }
  | { kind: 'object'; source: NamedSource; object: ObjectSchema }

export function findIn(
  r: Resolution,
  source: NamedSource,
  name: string,
  node: Located,
): FoundField | undefined {
  if (source.shape.kind === 'table') {
    const field = source.shape.schema.fields.get(name)
    if (field === undefined) return undefined
    return readField(r, source, field, source.shape.schema, node)
  }
  const column = source.shape.columns.find((candidate) => candidate.name === name)
  if (column === undefined) return undefined
  if (column.ambiguous) {
    reject(node, `Ambiguous query. Found multiple sources for field: ${name}`, 'unknown_field')
  }
  return { kind: 'column', expr: readColumn(r, source, column) }
}

/** Returns the names of a source's columns. */
export const namesOf = ({ shape }: NamedSource): string[] =>
  shape.kind === 'table' ? [...shape.schema.fields.keys()] : shape.columns.map(({ name }) => name)

/** Returns a field of a table, or of an object in it. */
export function readField(
  r: Resolution,
  source: NamedSource,
  field: FieldSchema,
  around: Pick<TableSchema, 'fields'>,
  node: Located,
): FoundField {
  if (isJoined(field)) return { kind: 'object', source: source.join(field), object: field }
  if (isObject(field)) return { kind: 'object', source, object: field }
  if (isExpression(field)) computeColumn(r, source, field, around)
  if (!isComputed(field)) return { kind: 'column', expr: readColumn(r, source, field) }
  return {
    kind: 'column',
    expr: r.reuse(field.compute(readColumn(r, source, columnOf(around.fields, field.of))), node),
  }
}

/** Adds a column that an expression computes to the table of a source. */
function computeColumn(
  r: Resolution,
  { shape }: NamedSource,
  { key, expression, reads }: ExpressionSchema,
  { fields }: Pick<TableSchema, 'fields'>,
): void {
  if (shape.kind !== 'table' || shape.computed.has(key)) return
  const source = r.nextId()
  const parameters = Object.entries(reads).map(
    ([parameter, read]) => [parameter, columnExpr(source, read, columnOf(fields, read).type)] as const,
  )
  shape.computed.set(key, {
    expr: resolveText(r, expression, parameters),
    source,
    reads: Object.values(reads),
  })
}

function columnOf(fields: TableSchema['fields'], name: string): ColumnSchema {
  const column = fields.get(name)
  if (column === undefined || !('key' in column)) throw new Error(`${name} is no column`)
  return column
}

/**
 * Finds a name in the sources.
 * @throws HogqlError for a name that two sources have
 */
export function findInSources(
  r: Resolution,
  { sources, merged: known }: Pick<Scope, 'sources' | 'merged'>,
  name: string,
  node: Located,
): FoundField | undefined {
  const merged = known.get(name)
  let found: FoundField | undefined = merged && { kind: 'column', expr: merged.expr }
  for (const source of sources) {
    if (merged?.sources.includes(source)) continue
    const here = findIn(r, source, name, node)
    if (here === undefined) continue
    if (found !== undefined) {
      reject(node, `Ambiguous query. Found multiple sources for field: ${name}`, 'unknown_field')
    }
    found = here
  }
  return found
}

/** Returns a column of a source, which then counts as used. */
export function readColumn(r: Resolution, source: NamedSource, column: ColumnSchema | DerivedColumn): Expr {
  if (source.shape.kind === 'table') source.shape.used.add(column.key)
  const type = source.optional ? nullable(column.type) : column.type
  const expr = columnExpr(source.id, column.key, type)
  if (column.owner !== undefined) r.owners.set(expr, column.owner)
  if ('isPropertyText' in column && column.isPropertyText)
    markPropertyText(expr, column.isDefinedText ?? false)
  return source.optional && column.type.kind === 'array' ? orEmpty(expr, column.type) : expr
}

/** Replaces the array of a missing row of an outer join by an empty array, because ClickHouse has no NULL for arrays. */
const orEmpty = (array: Expr, type: Type): Expr => ({
  node: 'call',
  fn: 'ifNull',
  args: [array, { node: 'array', items: [], type: required(type) }],
  type: required(type),
})

/** Returns the columns of a query as a source; `names` are those of `AS t(a, b)`. */
export function derivedColumns(
  r: Resolution,
  query: Query,
  names: readonly string[] | null,
  node: Located,
): DerivedColumn[] {
  if (names !== null && names.length !== query.items.length) {
    reject(node, `${names.length} names for ${query.items.length} columns`, 'invalid_query')
  }
  const items = query.items.map((item, index) => ({
    name: names?.[index] ?? item.name,
    type: item.type,
    expr: exprOf(query, index),
  }))
  const ambiguous = ambiguousNames(items)
  return items.map(({ name, type, expr }, index) => ({
    name,
    key: `c${index}`,
    type,
    owner: expr && r.owners.get(expr),
    isPropertyText: expr !== undefined && isPropertyText(expr),
    isDefinedText: expr !== undefined && isDefinedText(expr),
    ambiguous: ambiguous.has(name),
  }))
}

/** Returns the names that columns with different expressions share. */
function ambiguousNames(items: readonly { name: string; expr: Expr | undefined }[]): ReadonlySet<string> {
  const first = new Map<string, Expr | undefined>()
  const ambiguous = new Set<string>()
  for (const { name, expr } of items) {
    if (!first.has(name)) first.set(name, expr)
    else {
      const known = first.get(name)
      if (!(expr && known && sameExpr(expr, known))) ambiguous.add(name)
    }
  }
  return ambiguous
}

const exprOf = (query: Query, index: number): Item['expr'] | undefined =>
  query.kind === 'select' ? query.items[index]?.expr : exprOf(query.initial, index)
