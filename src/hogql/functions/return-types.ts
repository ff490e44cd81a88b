// Result types that follow a common rule.
import { reject } from '../error'
import {
  arrayOf,
  commonType as commonTypeOf,
  databaseTypeOf,
  isNumber,
  isTemporal,
  isText,
  NULL,
  nullable,
  type Type,
} from '../types'
import type { Signature } from './spec'

export type Returns = Signature['returns']

/** The type is never NULL. */
export const always =
  (type: Type): Returns =>
  () =>
    type

/** The type is NULL when an argument is. */
export const unlessNull =
  (type: Type): Returns =>
  (args) =>
    args.some((arg) => arg.nullable) ? nullable(type) : type

/** The type is that of an argument. */
export const like =
  (index: number): Returns =>
  (args) =>
    argument(args, index)

/** The type is that of an argument, and NULL when any argument is. */
export const likeUnlessNull =
  (index: number): Returns =>
  (args, constants) =>
    unlessNull(argument(args, index))(args, constants)

/** The type is NULL when the argument is, and for a text, which may not be convertible. */
export const unlessText =
  (type: Type): Returns =>
  (args) => {
    const from = argument(args, 0)
    return from.nullable || isText(from) ? nullable(type) : type
  }

/** Returns the type of an argument, which the signature guarantees. */
export function argument(args: readonly Type[], index: number): Type {
  const type = args[index]
  if (!type) throw new Error(`no argument ${index}`)
  return type
}

/** Returns the type of an array's elements; for a tuple, the common type of its items. */
export function elementOf(type: Type): Type {
  switch (type.kind) {
    case 'array':
      return type.of
    case 'tuple':
      return commonType(type.of)
    default:
      return type
  }
}

/**
 * Returns the type that fits all values.
 * @throws HogqlError when there is none
 */
export const commonType = ([first = NULL, ...rest]: readonly Type[]): Type => rest.reduce(common, first)

/** Returns the type beside NULL, or beside what is nothing, as the elements of `[]`. @throws HogqlError for an array, which is never NULL within another */
function besideNull(type: Type, nothing: Type): Type {
  if (!nothing.nullable) return type
  return type.kind === 'array'
    ? reject(null, 'An array cannot be NULL within an array or a tuple.')
    : nullable(type)
}

function common(one: Type, other: Type): Type {
  if (one.kind === 'array' && other.kind === 'array') {
    // Elements that are all NULL take the type of the others.
    if (one.of.kind === 'null') return arrayOf(besideNull(other.of, one.of))
    if (other.of.kind === 'null') return arrayOf(besideNull(one.of, other.of))
    requireComparable(one.of, other.of)
    return arrayOf(common(one.of, other.of))
  }
  if (one.kind === 'null') return besideNull(other, one)
  if (other.kind === 'null') return besideNull(one, other)
  const type = commonTypeOf(one, other)
  return type ?? reject(null, `There is no type that is both ${nameOf(one)} and ${nameOf(other)}.`)
}

/**
 * @throws HogqlError for arrays whose elements are dates on one side, and datetimes or numbers on the other, because elements are not
 * converted
 */
export function requireComparable(one: Type, other: Type): void {
  if (one.kind !== other.kind && [one, other].some(isTemporal) && [one, other].every(isScalar)) {
    reject(null, `There is no type that is both ${nameOf(one)} and ${nameOf(other)}.`)
  }
}

const isScalar = (type: Type): boolean => isTemporal(type) || isNumber(type)

const nameOf = (type: Type): string => (type.kind === 'tuple' ? databaseTypeOf(type) : type.kind)
