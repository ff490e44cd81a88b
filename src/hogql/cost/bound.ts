// What a function's bound is made of.
import type { Literal } from '../ir'
import type { Type } from '../types'
import type { Amount } from './amount'
import { type Extent, scaled } from './extent'
import { type Sized, small } from './sized'

/** A call whose arguments have been looked at. */
export interface Call {
  rows: Amount
  /** For a lambda: what its body gives, in the rows of all elements. */
  args: readonly Sized[]
  /** Whether the first argument is one. */
  hasLambda: boolean
  types: readonly Type[]
  type: Type
  constants: readonly (Literal | undefined)[]
  /** The sum over all rows of the bytes of one argument times those of another. */
  pairs(one: number, other: number): Amount
  /** The value of a number, between 0 and `MAX_LENGTH`. */
  count(index: number): Extent
}

export interface Bound {
  gives(call: Call): Sized
  /** Nanoseconds in all rows, besides those for the operation itself and for the bytes that it reads and gives. */
  work?(call: Call): Amount
}

export const arg = ({ args }: Call, index: number): Sized => args[index]!

/** Numbers, moments, and texts of fixed length. */
export const NUMBER: Bound = { gives: ({ rows }) => small(rows) }

/** Characters written as JSON take up to six bytes. */
export const ESCAPED = 6

export const escaped = (bytes: Extent): Extent => scaled(bytes, ESCAPED)
