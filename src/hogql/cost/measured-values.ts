// Sizes and counts of values that measures give in place of bounds.
import { MAX_LENGTH } from '../functions/limits'
import type { Expr } from '../ir'
import { call } from '../resolve/build'
import { INTEGER } from '../types'
import { least, product } from './amount'
import { type Extent, inEach } from './extent'
import type { Frame } from './scope'
import type { Sized } from './sized'

/** The bytes of a value, as an expression. */
const bytesOf = (expr: Expr): Expr =>
  call('length', expr.type.kind === 'string' ? expr : call('toString', expr))

/** The elements of arrays, counted where that may make a difference. */
export function measuredItems(expr: Expr, items: Extent, { measure }: Frame): Extent {
  if (typeof items.sum === 'number' || !measure) return items
  return {
    sum: measure({ number: call('length', expr), fn: 'sum', of: 'counts' }, items.sum),
    max: items.max,
  }
}

/** A value with its size measured, where nothing is known of it but the size of its document. */
export function measuredValue(expr: Expr, value: Sized, frame: Frame): Sized {
  const { measure } = frame
  const { max, sum: all } = value.bytes
  if (typeof max === 'number' || !measure) return value
  if (expr.node === 'call' && expr.type.kind === 'array') {
    return { ...value, items: measuredItems(expr, value.items, frame) }
  }
  if (expr.node !== 'property' && expr.node !== 'column') return value
  const number = bytesOf(expr)
  const bytes = {
    sum: measure({ number, fn: 'sum', of: 'values' }, all),
    max: measure({ number, fn: 'max', of: 'values' }, max),
  }
  return { ...value, bytes, stored: value.stored && { ...value.stored, bytes } }
}

/** The value of a number. */
export function countOf(expr: Expr, frame: Frame): Extent {
  const { rows } = frame
  if (expr.node === 'literal') return inEach(rows, Math.min(MAX_LENGTH, Math.max(0, Number(expr.value ?? 0))))
  if (expr.node === 'variable')
    return inEach(rows, least({ op: 'variable', name: expr.name, as: 'number' }, MAX_LENGTH))
  const bound = product(rows, MAX_LENGTH)
  if (!frame.measure) return { sum: bound, max: MAX_LENGTH }
  const number = call('least', call('greatest', call('toInt64', expr), ZERO), LIMIT)
  return { sum: frame.measure({ number, fn: 'sum', of: 'counts' }, bound), max: MAX_LENGTH }
}

const ZERO: Expr = { node: 'literal', value: 0, type: INTEGER }
const LIMIT: Expr = { node: 'literal', value: MAX_LENGTH, type: INTEGER }
