// One type for several expressions: branches of a condition, items of an array, legs of a UNION.
import type { Expected } from '../../functions/spec'
import type { Expr } from '../../ir'
import { isNumber, nullable, NULL, type Type } from '../../types'
import { convert } from './convert'
import { propertyTextOf } from './properties'

/** The element type of an empty array: it fits every type, and makes none nullable. */
const EMPTY_ELEMENT: Type = { kind: 'null', nullable: false }

/** Undefined when there is none. */
function commonType(one: Type, other: Type): Type | undefined {
  const either = (type: Type): Type => (one.nullable || other.nullable ? nullable(type) : type)
  if (one.kind === 'null' || other.kind === 'null') return either(one.kind === 'null' ? other : one)
  if (isNumber(one) && isNumber(other)) return either(wider(one, other))
  if (one.kind === 'array' && other.kind === 'array') {
    const of = commonType(one.of, other.of)
    return of && either({ kind: 'array', of, nullable: false })
  }
  if (one.kind === 'tuple' && other.kind === 'tuple') return commonTuple(one.of, other.of, either)
  if (one.kind === other.kind) return either({ ...one, nullable: false })
  const kinds = new Set([one.kind, other.kind])
  if (kinds.has('date') && kinds.has('datetime')) return either({ kind: 'datetime', nullable: false })
  if (kinds.has('json') && kinds.has('string')) return either({ kind: 'string', nullable: false })
  return undefined
}

function commonTuple(
  ones: readonly Type[],
  others: readonly Type[],
  either: (type: Type) => Type,
): Type | undefined {
  if (ones.length !== others.length) return undefined
  const of: Type[] = []
  for (const [index, one] of ones.entries()) {
    const type = commonType(one, others[index] ?? NULL)
    if (type === undefined) return undefined
    of.push(type)
  }
  return either({ kind: 'tuple', of, nullable: false })
}

/** A boolean beside an integer is 1 or 0. */
function wider(one: Type, other: Type): Type {
  if (one.kind === other.kind) return { kind: one.kind as 'integer', nullable: false }
  const kind = one.kind === 'float' || other.kind === 'float' ? 'float' : 'integer'
  return { kind, nullable: false }
}

/**
 * Converts all to one type; undefined when there is none. Texts of properties, constant texts and variables take the type of the others.
 */
export function unify(exprs: readonly Expr[], timezone: string): Unified | undefined {
  return unifyTo(exprs, timezone) ?? unifyTo(exprs.map(asText), timezone)
}

export interface Unified {
  exprs: Expr[]
  type: Type
}

/** A property as text, without its definition's conversion. */
const asText = (expr: Expr): Expr => propertyTextOf(expr) ?? expr

function unifyTo(exprs: readonly Expr[], timezone: string): Unified | undefined {
  const target = targetOf(exprs)
  const converted: Expr[] = []
  let type: Type = EMPTY_ELEMENT
  for (const expr of exprs) {
    const fitting = target === undefined || !isConvertible(expr) ? expr : convert(expr, target, timezone)
    const common = fitting && commonType(type, fitting.type)
    if (fitting === undefined || common === undefined) return undefined
    converted.push(fitting)
    type = common
  }
  return { exprs: alignDates(converted, type, timezone), type }
}

/** The type of the expressions that are not convertible. */
function targetOf(exprs: readonly Expr[]): Exclude<Expected, 'any' | 'lambda'> | undefined {
  const firm = exprs.filter((expr) => !isConvertible(expr) && expr.type.kind !== 'null')
  if (firm.length === 0) return undefined
  if (firm.every(({ type }) => isNumber(type))) {
    return firm.every(({ type }) => type.kind === 'boolean') ? 'boolean' : 'number'
  }
  if (firm.every(({ type }) => type.kind === 'date')) return 'date'
  if (firm.every(({ type }) => type.kind === 'date' || type.kind === 'datetime')) return 'datetime'
  return firm.every(({ type }) => type.kind === 'string' || type.kind === 'json') ? 'string' : undefined
}

/** Texts that may be converted, and variables, which are bound as any type. */
const isConvertible = (expr: Expr): boolean =>
  expr.node === 'variable' ||
  (expr.type.kind === 'string' && propertyTextOf(expr) !== undefined) ||
  (expr.type.kind === 'string' && expr.node === 'literal')

/** Converts dates beside datetimes. */
const alignDates = (exprs: Expr[], type: Type, timezone: string): Expr[] =>
  type.kind === 'datetime' ? exprs.map((expr) => convert(expr, 'datetime', timezone) ?? expr) : exprs
