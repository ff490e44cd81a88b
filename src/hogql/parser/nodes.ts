// Nodes that several rules make.
import type { Call, Constant, Expression } from './ast'
import type { Reader } from './reader'

/** A call that is written in another way, such as with an operator. */
export const call = (reader: Reader, start: number, name: string, args: Expression[]): Call =>
  reader.node('Call', start, { name, args })

/** A constant that is not in the text. */
export const implied = (value: Constant['value']): Constant => ({
  node: 'Constant',
  start: null,
  end: null,
  value,
})

export const constant = (reader: Reader, start: number, value: Constant['value']): Constant =>
  reader.node('Constant', start, { value })
