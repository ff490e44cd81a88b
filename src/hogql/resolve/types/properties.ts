// Resolves values of documents of properties: they are text, and are converted by the property's definition.
import type { Expr } from '../../ir'
import { nullable, STRING } from '../../types'
import { call } from '../../ir-build'
import type { Located } from '../../parser/ast'
import { warnOfProperty } from '../names/suggestions'
import type { PropertyType, Resolution } from '../context/resolution'

/** Reads a property. Without a definition it is text. */
export function readProperty(
  r: Resolution,
  document: Expr,
  path: readonly (string | number)[],
  node: Located,
): Expr {
  const text: Expr = { node: 'property', document, path: [...path], type: nullable(STRING) }
  const owner = r.owners.get(document)
  const [name] = path
  if (owner === undefined || typeof name !== 'string' || path.length > 1) return text
  const type = r.context.propertyTypes(owner, name)
  if (type === undefined) warnOfProperty(r, owner, name, node)
  else if (type === 'String') definedTexts.add(text)
  return type === undefined ? text : convertByDefinition(text, type)
}

function convertByDefinition(text: Expr, type: PropertyType): Expr {
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

/** Properties that are texts by their definition. */
const definedTexts = new WeakSet<Expr>()

export const isDefinedText = (expr: Expr): boolean => definedTexts.has(expr)

/** Columns of subqueries that are unconverted properties. */
const propertyTexts = new WeakSet<Expr>()

export const markPropertyText = (expr: Expr, isDefined: boolean): void => {
  propertyTexts.add(expr)
  if (isDefined) definedTexts.add(expr)
}

export const isPropertyText = (expr: Expr): boolean => expr.node === 'property' || propertyTexts.has(expr)

const CONVERSIONS = new Set(['toFloat', 'toBool', 'toDateTime'])

/** Returns the text of a property, also from inside the conversion by its definition, or undefined for other expressions. */
export function propertyTextOf(expr: Expr): Expr | undefined {
  if (isPropertyText(expr)) return expr
  if (expr.node !== 'call' || !CONVERSIONS.has(expr.fn)) return undefined
  const [only, ...others] = expr.args
  return only && others.length === 0 && isPropertyText(only) ? only : undefined
}
