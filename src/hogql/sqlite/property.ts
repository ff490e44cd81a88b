// Writes properties: values in JSON documents. Most queries read them, so that their SQL does as little work per row as possible.
import { textToBoolean, textToFloat } from '../functions/conversions'
import { lookup, type Lookup, storedText } from '../functions/json-lookup'
import type { Expr } from '../ir'
import { sourceName } from '../print/query'
import type { Type } from '../types'
import { columnName, type SqliteContext as Context } from './context'

export type Property = Extract<Expr, { node: 'property' }>

function lookupOf({ document, path }: Property, context: Context): Lookup {
  return lookup(printDocument(document, context), path, (value) => context.parameters.bind(value))
}

/**
 * Writes a document as an argument of JSON functions. Tables hold documents in binary form, which need no parsing; as a value, a document
 * is text.
 */
export function printDocument(document: Expr, context: Context): string {
  return document.node === 'column'
    ? `${sourceName({ id: document.source })}.${columnName(document.column)}`
    : context.expr(document)
}

/** Returns whether a column holds a document in binary form. Columns of subqueries hold values. */
export const isBinaryDocument = ({ column, type }: { column: string; type: Type }): boolean =>
  type.kind === 'json' && !/^[ck]\d+$/.test(column)

export const propertyText = (property: Property, context: Context): string =>
  storedText(lookupOf(property, context))

/** Writes a number of JSON, or a text that is a number. */
export function propertyFloat(property: Property, context: Context): string {
  const { type, value } = lookupOf(property, context)
  return `CASE ${type} WHEN 'real' THEN ${value} WHEN 'integer' THEN ${value} WHEN 'text' THEN ${textToFloat(value)} END`
}

export function propertyBoolean(property: Property, context: Context): string {
  const { type, value } = lookupOf(property, context)
  return (
    `CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ` +
    `WHEN 'integer' THEN CASE ${value} WHEN 1 THEN 1 WHEN 0 THEN 0 END WHEN 'text' THEN ${textToBoolean(value)} END`
  )
}

/** Matches texts as which other JSON values may be written. A comparison with any other text needs no check of the property's type. */
const AMBIGUOUS = /^(?:[-\d[{]|true$|false$|null$)/

/** Returns whether only a JSON text can equal this text. */
export const isPlain = (text: string): boolean => !AMBIGUOUS.test(text)

/** Writes a property that is only compared with plain texts, or with NULL. */
export const propertyBare = (property: Property, context: Context): string =>
  lookupOf(property, context).value
