// Values out of documents of properties: their text, made into what their definition says that they are.
import type { Expr } from '../../ir'
import { nullable, STRING } from '../../types'
import { call } from '../build'
import type { PropertyType, Resolution } from '../context/resolution'

/** The value at a path in a document. A property with a definition comes out as that says, all others as text. */
export function readProperty(r: Resolution, document: Expr, path: readonly string[]): Expr {
  const text: Expr = { node: 'property', document, path: [...path], type: nullable(STRING) }
  const owner = r.owners.get(document)
  const [name] = path
  if (owner === undefined || name === undefined || path.length > 1) return text
  const type = r.context.propertyTypes(owner, name)
  return type === undefined ? text : typed(text, type)
}

function typed(text: Expr, type: PropertyType): Expr {
  switch (type) {
    case 'String':
      return text
    case 'Numeric':
      return call('toFloat', text)
    case 'Boolean':
      return call('toBool', text)
    case 'DateTime':
      return call('toDateTime', text)
  }
}

/** Columns of subqueries that hold the text of a property as it is. */
const texts = new WeakSet<Expr>()

/** Says of a column that it holds the text of a property, which may be turned into something else as that may. */
export const markPropertyText = (expr: Expr): void => {
  texts.add(expr)
}

export const isPropertyText = (expr: Expr): boolean => expr.node === 'property' || texts.has(expr)

const CONVERSIONS = new Set(['toFloat', 'toBool', 'toDateTime'])

/** The text of a property, also from under what its definition made of it; undefined for everything else. */
export function propertyTextOf(expr: Expr): Expr | undefined {
  if (isPropertyText(expr)) return expr
  if (expr.node !== 'call' || !CONVERSIONS.has(expr.fn)) return undefined
  const [only, ...others] = expr.args
  return only && others.length === 0 && isPropertyText(only) ? only : undefined
}
