// Options of a query, as its schema declares them: misspelt names, and unsupported options.
import * as z from 'zod'
import { nearestName } from '../../edit-distance'
import { invalid } from '../../errors'
import type { Support } from './schema-parts'

type Options = Record<string, unknown>

const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the schema inside defaults, nullable and optional. */
function innerOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? innerOf(schema.unwrap() as z.ZodType)
    : schema
}

const shapeOf = (schema: z.ZodObject): [name: string, schema: z.ZodType][] =>
  Object.entries(schema.shape as Record<string, z.ZodType>)

/** Names of the options at this path of a query. */
function namesAt(schema: z.ZodType, [key, ...rest]: readonly PropertyKey[]): string[] {
  const inner = innerOf(schema)
  if (inner instanceof z.ZodArray) return namesAt(inner.element as z.ZodType, rest)
  if (!(inner instanceof z.ZodObject)) return []
  if (key === undefined) return Object.keys(inner.shape)
  const own = (inner.shape as Record<string, z.ZodType | undefined>)[String(key)]
  return own ? namesAt(own, rest) : []
}

const MAX_DISTANCE = 2

/** Returns the option that a misspelt name is nearest to, or undefined when none is near. */
export const nearestOption = (
  schema: z.ZodType,
  path: readonly PropertyKey[],
  name: string,
): string | undefined => nearestName(name, namesAt(schema, path), MAX_DISTANCE)

const articled = (kind: string) => `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`

const supportOf = (schema: z.ZodType) => schema.meta()?.support as Support | undefined

const isUnset = (value: unknown) =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0)

/** @throws 400 `query` with the path of the first option that would have no effect, or not that of its value */
export function requireSupported(schema: z.ZodType, value: unknown, kind: string, path = ''): void {
  const inner = innerOf(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((each, index) =>
      requireSupported(inner.element as z.ZodType, each, kind, `${path}[${index}]`),
    )
  }
  if (!(inner instanceof z.ZodObject) || !isOptions(value)) return
  for (const [name, option] of shapeOf(inner)) {
    const at = path === '' ? name : `${path}.${name}`
    const support = supportOf(option)
    const set = value[name]
    if (isUnset(set)) continue
    if (support === 'rejected') throw invalid('query', `${at} is not supported in ${articled(kind)}.`)
    if (Array.isArray(support) && !support.includes(set)) {
      throw invalid(
        'query',
        `${at} '${String(set)}' is not supported in ${articled(kind)}. Supported: ${support.join(', ')}.`,
      )
    }
    requireSupported(option, set, kind, at)
  }
}

/** Returns every option with its support, by path. Paths contain no indexes of lists. */
export function supportByOption(schema: z.ZodType, path = ''): [path: string, support: Support][] {
  const inner = innerOf(schema)
  if (inner instanceof z.ZodArray) return supportByOption(inner.element as z.ZodType, path)
  if (!(inner instanceof z.ZodObject)) return []
  return shapeOf(inner).flatMap(([name, option]) => {
    const at = path === '' ? name : `${path}.${name}`
    const support = supportOf(option)
    const nested = support === undefined ? supportByOption(option, at) : []
    return nested.length > 0 ? nested : [[at, support ?? 'supported'] as const]
  })
}
