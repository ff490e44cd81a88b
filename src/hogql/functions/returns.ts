// What functions give, for those that follow a common rule.
import { type Kind, nullable, required, type Type } from '../types'
import { refuse } from './refuse'

type Returns = (args: readonly Type[]) => Type

/** Never NULL, whatever the arguments are. */
export const always =
  (type: Type): Returns =>
  () =>
    type

/** NULL when an argument is. */
export const unlessNull =
  (type: Type): Returns =>
  (args) =>
    args.some((arg) => arg.nullable) ? nullable(type) : type

/** What an argument is. */
export const like =
  (index: number): Returns =>
  (args) =>
    argument(args, index)

/** What an argument is, and NULL when any of them is. */
export const likeUnlessNull =
  (index: number): Returns =>
  (args) =>
    unlessNull(argument(args, index))(args)

/** The argument at a place that is known to be taken. */
export function argument(args: readonly Type[], index: number): Type {
  const type = args[index]
  if (!type) throw new Error(`no argument ${index}`)
  return type
}

/** What the elements of an array are; of a tuple, what all of its items fit. */
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

const NUMBERS: readonly Kind[] = ['boolean', 'integer', 'float']
const TEXTS: readonly Kind[] = ['json', 'string']
const MOMENTS: readonly Kind[] = ['date', 'datetime']

/** Kinds of which the later one holds what the earlier ones do. */
const FAMILIES = [NUMBERS, TEXTS, MOMENTS]

/**
 * The type that fits all of some values: the branches of a condition, the elements of an array.
 * @throws HogqlError where there is none
 */
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
    if (one.of.length !== other.of.length) return refuse('There is no type for tuples of different lengths.')
    const of = one.of.map((type, index) => common(type, other.of[index] ?? type))
    return { kind: 'tuple', of, nullable: false }
  }
  if (one.kind === other.kind) return required(one)
  const family = FAMILIES.find((kinds) => kinds.includes(one.kind) && kinds.includes(other.kind))
  if (!family) return refuse(`There is no type that is both ${one.kind} and ${other.kind}.`)
  return family.indexOf(one.kind) > family.indexOf(other.kind) ? required(one) : required(other)
}

/** An array of nothing fits any other. */
const commonElement = (one: Type, other: Type): Type => {
  if (one.kind === 'null' && other.kind !== 'null') return other
  return other.kind === 'null' && one.kind !== 'null' ? one : common(one, other)
}
