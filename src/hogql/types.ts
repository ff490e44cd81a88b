// The types of HogQL expressions, and their names in the API.

/** Units of intervals and of truncation. */
export const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Unit = (typeof UNITS)[number]

export type ScalarKind = 'integer' | 'float' | 'string' | 'boolean' | 'datetime' | 'date' | 'json' | 'null'

/**
 * `json` is a whole JSON document (`properties`), `null` the constant NULL. A comparison is an `integer` (1 or 0), as in ClickHouse;
 * `true`, `toBool` and boolean properties are `boolean`.
 */
export type Type =
  /**
   * A scalar. The `zone` of a datetime is the IANA name of the time zone in which it is shown and has its parts; by default it is the
   * project's.
   */
  | { readonly kind: ScalarKind; readonly nullable: boolean; readonly zone?: string }
  /** An array. A map is an array of pairs. */
  | { readonly kind: 'array'; readonly of: Type; readonly nullable: boolean; readonly isMap?: true }
  /** A tuple. A state of an aggregate is a tuple with the result's type. */
  | {
      readonly kind: 'tuple'
      readonly of: readonly Type[]
      readonly nullable: boolean
      readonly stateOf?: string
    }

export type Kind = Type['kind']

type ArrayType = Extract<Type, { kind: 'array' }>

const scalar = (kind: ScalarKind): Type => ({ kind, nullable: false })

export const INTEGER = scalar('integer')
export const FLOAT = scalar('float')
export const STRING = scalar('string')
export const BOOLEAN = scalar('boolean')
export const DATETIME = scalar('datetime')
export const DATE = scalar('date')
export const JSON_DOCUMENT = scalar('json')
export const NULL: Type = { kind: 'null', nullable: true }

export const arrayOf = (of: Type): ArrayType => ({ kind: 'array', of, nullable: false })
export const tupleOf = (...of: Type[]): Type => ({ kind: 'tuple', of, nullable: false })

export const nullable = (type: Type): Type => (type.nullable ? type : { ...type, nullable: true })

export const required = (type: Type): Type => (type.nullable ? { ...type, nullable: false } : type)

export const isMap = (type: Type): type is MapType => type.kind === 'array' && type.isMap === true

export type MapType = ArrayType & { readonly of: Extract<Type, { kind: 'tuple' }> }

/** Returns the type without maps, as a database has it. */
export function withoutMaps(type: Type): Type {
  if (type.kind === 'array') return { kind: 'array', of: withoutMaps(type.of), nullable: type.nullable }
  return type.kind === 'tuple' ? { ...type, of: type.of.map(withoutMaps) } : type
}

const sizes = new WeakMap<Type, number>()

/** Returns the number of types in a type as it is written out, including itself. */
export function typeSize(type: Type): number {
  if (type.kind !== 'array' && type.kind !== 'tuple') return 1
  let size = sizes.get(type)
  if (size === undefined) {
    const parts = type.kind === 'array' ? [type.of] : type.of
    sizes.set(type, (size = parts.reduce((sum, part) => sum + typeSize(part), 1)))
  }
  return size
}

/** Returns whether the type is a state of an aggregate, or contains one. */
export const hasState = (type: Type): boolean => {
  if (type.kind === 'array') return hasState(type.of)
  return type.kind === 'tuple' && (type.stateOf !== undefined || type.of.some(hasState))
}

export const isTemporal = ({ kind }: Type): boolean => kind === 'date' || kind === 'datetime'

/** Returns the time zone of the first datetime that has its own. */
export const zoneOf = (types: readonly Type[]): string | undefined =>
  types.flatMap((type) => (type.kind === 'datetime' && type.zone ? [type.zone] : []))[0]

/** Returns the type of a call's result: a datetime that is computed from a datetime has its time zone. */
export function inZoneOf(type: Type, args: readonly Type[]): Type {
  const zone = type.kind === 'datetime' && !type.zone ? zoneOf(args) : undefined
  return zone === undefined || type.kind !== 'datetime' ? type : { ...type, zone }
}

/** Returns whether values are texts: strings or JSON documents. */
export const isText = ({ kind }: Type): boolean => kind === 'string' || kind === 'json'

/** Returns whether values may have any number of bytes. */
export const hasBytes = (type: Type): boolean =>
  isText(type) || type.kind === 'array' || (type.kind === 'tuple' && type.of.some(hasBytes))

export const isNumber = ({ kind }: Type): boolean =>
  kind === 'integer' || kind === 'float' || kind === 'boolean'

/** Kinds of which each includes those before it. */
const FAMILIES: readonly (readonly Kind[])[] = [
  ['boolean', 'integer', 'float'],
  ['json', 'string'],
  ['date', 'datetime'],
]

/** Returns the type that fits values of both, or undefined when there is none. The elements of an empty array fit any other. */
export function commonType(one: Type, other: Type): Type | undefined {
  const either = (type: Type): Type => (one.nullable || other.nullable ? nullable(type) : type)
  if (one.kind === 'null' || other.kind === 'null') return either(one.kind === 'null' ? other : one)
  if (one.kind === 'array' && other.kind === 'array') {
    const of = commonType(one.of, other.of)
    return of && either(one.isMap && other.isMap ? { ...arrayOf(of), isMap: true } : arrayOf(of))
  }
  if (one.kind === 'tuple' && other.kind === 'tuple') {
    if (one.of.length !== other.of.length) return undefined
    const of = one.of.map((type, index) => commonType(type, other.of[index]!))
    return of.every((type) => type !== undefined) ? either(tupleOf(...of)) : undefined
  }
  if (one.kind === other.kind) return either(required(one))
  const family = FAMILIES.find((kinds) => kinds.includes(one.kind) && kinds.includes(other.kind))
  if (!family) return undefined
  return either(required(family.indexOf(one.kind) > family.indexOf(other.kind) ? one : other))
}

/**
 * Returns whether within arrays or tuples one type has floats where the other has integers, or datetimes where the other has dates. Engines
 * do not convert these.
 */
export function differWithin(one: Type, other: Type): boolean {
  const parts = (type: Type): readonly Type[] =>
    type.kind === 'array' ? [type.of] : type.kind === 'tuple' ? type.of : []
  const others = parts(other)
  return parts(one).some((part, index) => {
    const beside = others[index] ?? NULL
    const isMixed = (isNumber(part) && isNumber(beside)) || (isTemporal(part) && isTemporal(beside))
    const isWide = ({ kind }: Type) => kind === 'float' || kind === 'datetime'
    return (isMixed && isWide(part) !== isWide(beside)) || differWithin(part, beside)
  })
}

/** The values of `columns[].type` of a result column (docs/reference/endpoints.md#records-of-saved-queries). */
export type ColumnType = Exclude<Kind, 'tuple' | 'null'> | 'unknown'

export function columnTypeOf(type: Type): ColumnType {
  if (isMap(type)) return 'json'
  return type.kind === 'tuple' ? 'array' : type.kind === 'null' ? 'unknown' : type.kind
}

/**
 * Returns the ClickHouse name of a type for `types` of a result column (docs/reference/endpoints.md#response-of-a-run).
 * @param names the names of scalar types
 */
export function databaseTypeOf(type: Type, names = SCALAR_NAMES): string {
  const name = bareNameOf(type, names)
  const mayBeNull = type.nullable && type.kind !== 'array' && type.kind !== 'tuple'
  return mayBeNull ? `Nullable(${name})` : name
}

export const SCALAR_NAMES: Readonly<Record<ScalarKind, string>> = {
  integer: 'Int64',
  float: 'Float64',
  string: 'String',
  json: 'String',
  boolean: 'Bool',
  datetime: "DateTime64(6, 'UTC')",
  date: 'Date',
  null: 'Nothing',
}

function bareNameOf(type: Type, names: typeof SCALAR_NAMES): string {
  if (type.kind === 'array') {
    const of = databaseTypeOf(type.of, names)
    return type.isMap ? of.replace(/^Tuple/, 'Map') : `Array(${of})`
  }
  if (type.kind === 'tuple') return `Tuple(${type.of.map((of) => databaseTypeOf(of, names)).join(', ')})`
  const isOwnZone = type.kind === 'datetime' && type.zone !== undefined && names !== SCALAR_NAMES
  return isOwnZone ? `DateTime64(6, '${type.zone}')` : names[type.kind]
}
