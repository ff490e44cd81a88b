// Completes examples: documentation states only the values that do not follow from the schema.
import { isObject, type UnknownObject } from '../json'

/** The schema of a component, and its complete example. */
export interface Component {
  schema: UnknownObject
  example: unknown
}

/** Returns the component that a schema refers to. */
export type Lookup = (schema: UnknownObject) => Component | undefined

/**
 * Returns a value of the schema. Required fields that `given` leaves out have the value of the component's example; without one, they are
 * null, false or an empty list, if the schema accepts it.
 * @returns undefined when no value follows from the schema
 */
export function completeExample(schema: UnknownObject, given: unknown, lookup: Lookup): unknown {
  const component = lookup(schema)
  if (component) {
    if (given === undefined) return component.example
    return isObject(given) ? completeFields(component.schema, given, lookup, component.example) : given
  }
  const [first, ...others] = (schema.anyOf ?? schema.oneOf ?? []) as UnknownObject[]
  if (first) {
    if (given === null) return null
    const value = completeExample(first, given, lookup)
    return value === undefined && others.some(({ type }) => type === 'null') ? null : value
  }
  if (Array.isArray(given)) {
    const { items } = schema
    return isObject(items) ? given.map((each: unknown) => completeExample(items, each, lookup)) : given
  }
  if (isObject(given)) return completeFields(schema, given, lookup)
  return given === undefined ? impliedBy(schema, lookup) : given
}

function completeFields(
  schema: UnknownObject,
  given: UnknownObject,
  lookup: Lookup,
  example?: unknown,
): UnknownObject {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, UnknownObject>
    required?: readonly string[]
    additionalProperties?: unknown
  }
  if (!properties) {
    if (!isObject(additionalProperties)) return given
    return mapValues(given, (value) => completeExample(additionalProperties, value, lookup))
  }
  const known = isObject(example) ? example : {}
  const present = mapValues(given, (value, name) =>
    properties[name] ? completeExample(properties[name], value, lookup) : value,
  )
  const absent = required.filter((name) => given[name] === undefined)
  if (absent.length === 0) return present
  const implied = absent.flatMap((name) => {
    const value = name in known ? known[name] : completeExample(properties[name]!, undefined, lookup)
    return value === undefined ? [] : [[name, value] as const]
  })
  const fields: UnknownObject = { ...present, ...Object.fromEntries(implied) }
  // The fields are in the order of the schema.
  const names = Object.keys(properties).filter((name) => name in fields)
  return { ...Object.fromEntries(names.map((name) => [name, fields[name]])), ...fields }
}

function impliedBy(schema: UnknownObject, lookup: Lookup): unknown {
  const { type, items, properties, required = [] } = schema
  if ('const' in schema) return schema.const
  if (type === undefined) return Object.keys(schema).every((key) => key === 'description') ? null : undefined
  if (Array.isArray(type) ? type.includes('null') : type === 'null') return null
  if (type === 'boolean') return false
  if (type === 'array') {
    const row = isObject(items) ? lookup(items)?.example : undefined
    return row === undefined ? [] : [row]
  }
  if (type !== 'object' || !isObject(properties)) return undefined
  const fields = completeFields(schema, {}, lookup)
  return (required as string[]).every((name) => name in fields) ? fields : undefined
}

export const mapValues = (
  object: UnknownObject,
  map: (value: unknown, key: string) => unknown,
): UnknownObject => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
