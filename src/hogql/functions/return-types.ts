// Result types that follow a common rule.
import { reject } from '../error'
import { type Kind, nullable, required, type Type } from '../types'
import type { Signature } from './spec'

export type Returns = Signature['returns']

/** Never NULL. */
export const always =
  (type: Type): Returns =>
  () =>
    type

/** NULL when an argument is. */
export const unlessNull =
  (type: Type): Returns =>
  (args) =>
    args.some((arg) => arg.nullable) ? nullable(type) : type

/** The type of an argument. */
export const like =
  (index: number): Returns =>
  (args) =>
    argument(args, index)

/** The type of an argument, NULL when any argument is. */
export const likeUnlessNull =
  (index: number): Returns =>
  (args, constants) =>
    unlessNull(argument(args, index))(args, constants)

/** NULL when the argument is, or is a text, which may not be convertible. */
export const unlessText =
  (type: Type): Returns =>
  (args) => {
    const from = argument(args, 0)
    return from.nullable || isText(from) ? nullable(type) : type
  }

/** A string or a JSON document. */
export const isText = ({ kind }: Type): boolean => kind === 'string' || kind === 'json'

/** An argument that the signature guarantees. */
export function argument(args: readonly Type[], index: number): Type {
  const type = args[index]
  if (!type) throw new Error(`no argument ${index}`)
  return type
}

/** The type of an array's elements; of a tuple, the common type of its items. */
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

/** Kinds of which the later one includes the earlier ones. */
const FAMILIES: readonly (readonly Kind[])[] = [
  ['boolean', 'integer', 'float'],
  ['json', 'string'],
  ['date', 'datetime'],
]

/** The type that fits all values. @throws HogqlError where there is none */
export function commonType(types: readonly Type[]): Type {
  const [first, ...rest] = types
  if (!first) return { kind: 'null', nullable: true }
  return rest.reduce(common, first)
}

function common(one: Type, other: Type): Type {
  if (one.kind === 'null') return nullable(other)
  if (other.kind === 'null') return nullable(one)
  const type = commonKind(one, other)
  return one.nullable || other.nullable ? nullable(type) : type
}

function commonKind(one: Type, other: Type): Type {
  if (one.kind === 'array' && other.kind === 'array') {
    return { kind: 'array', of: commonElement(one.of, other.of), nullable: false }
  }
  if (one.kind === 'tuple' && other.kind === 'tuple') {
    if (one.of.length !== other.of.length)
      return reject(null, 'There is no type for tuples of different lengths.')
    const of = one.of.map((type, index) => common(type, other.of[index] ?? type))
    return { kind: 'tuple', of, nullable: false }
  }
  if (one.kind === other.kind) return required(one)
  const family = FAMILIES.find((kinds) => kinds.includes(one.kind) && kinds.includes(other.kind))
  if (!family) return reject(null, `There is no type that is both ${one.kind} and ${other.kind}.`)
  return family.indexOf(one.kind) > family.indexOf(other.kind) ? required(one) : required(other)
}

/** An empty array fits any other. */
const commonElement = (one: Type, other: Type): Type => {
  if (one.kind === 'null' && other.kind !== 'null') return other
  return other.kind === 'null' && one.kind !== 'null' ? one : common(one, other)
}
