// Helpers that make nodes, and the precedence of operators.
import type { Call, Constant, Expression } from './ast'
import type { Reader } from './reader'

/** Makes a call for something that is written in another way, such as with an operator. */
export const call = (reader: Reader, start: number, name: string, args: Expression[]): Call =>
  reader.node('Call', start, { name, args })

/** Makes a constant that is not in the text. */
export const implied = (value: Constant['value']): Constant => ({
  node: 'Constant',
  start: null,
  end: null,
  value,
})

export const constant = (reader: Reader, start: number, value: Constant['value']): Constant =>
  reader.node('Constant', start, { value })

/** Operators with a higher precedence bind more tightly (`columnExpr` in `HogQLParser.g4`). */
export const PRECEDENCE = {
  alias: 1,
  ternary: 2,
  or: 3,
  and: 4,
  not: 5,
  between: 6,
  nullish: 7,
  isDistinct: 8,
  isNull: 9,
  ignoreNulls: 10,
  compare: 11,
  add: 12,
  multiply: 13,
  negate: 14,
} as const
