// Writes self-contained JSON Schemas of the input and output of tools. It runs in Node only.
import type { UnknownObject } from '../json'
import { nameAfter, REFERENCE, type Schemas } from '../docs/schemas'
import type { OperationDocs } from '../http/docs/operation-docs'
import type { Operation } from '../http/operation'
import type { ToolDescription } from './tool'

export type ToolOperation = Omit<Operation, 'handle'>

/** Defaults of path arguments. */
export const DEFAULTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  organization_id: '@current',
  uuid: '@me',
}

/** Rules for invalid numbers, which tools reject, and meanings that the names `limit` and `offset` have already. */
const SELF_EVIDENT = / rows a page(?=\.)|^Rows to skip\.| Anything else counts as \d{1,9}\.$/g

/** A parameter of the OpenAPI document. */
export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: UnknownObject
}

/**
 * Merges path, query and body parameters, in this order of precedence. A parameter of both query and body has the description of the body,
 * because that of the query may be about precedence, which tools do not have.
 */
export function inputOf(
  { id, body }: ToolOperation,
  parameters: Parameter[],
  schemas: Schemas,
  { body: docs, tool }: OperationDocs,
): UnknownObject {
  const { omits = [] } = tool ?? {}
  const inBody =
    body && omits !== 'body'
      ? resolved(schemas.of(docs?.schema ?? body, 'input', nameAfter(id, 'Body'), docs), schemas)
      : {}
  const properties: UnknownObject = { ...(inBody.properties as UnknownObject | undefined) }
  for (const [name, place] of Object.entries(tool?.membersAs ?? {})) {
    const { description } = properties[name] as UnknownObject
    properties[name] = { type: 'object', description: `${description as string} As ${place}.` }
  }
  for (const name of omits === 'body' ? [] : omits) delete properties[name]
  const required = new Set((inBody.required as string[] | undefined) ?? [])
  for (const { name, schema, ...parameter } of parameters.toReversed()) {
    const inBoth = parameter.in === 'query' ? (properties[name] as UnknownObject | undefined) : undefined
    const description = ((inBoth?.description ?? parameter.description) as string | undefined)?.replace(
      SELF_EVIDENT,
      '',
    )
    delete properties[name]
    if (name in DEFAULTS) {
      // The instructions of the server describe these parameters.
      properties[name] = { ...schema, default: DEFAULTS[name] }
      continue
    }
    properties[name] = { ...schema, ...(description ? { description } : {}) }
    if (parameter.required) required.add(name)
  }
  const names = [...parameters.map(({ name }) => name), ...Object.keys(properties)]
  return selfContained(
    {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
      ...(required.size > 0 ? { required: [...required] } : {}),
      ...(inBody.additionalProperties === undefined
        ? {}
        : { additionalProperties: inBody.additionalProperties }),
    },
    schemas,
  )
}

/** Removes descriptions and definitions of fields that another tool has, too, except a default, and names that tool in the description. */
export function withoutRepeats(tool: ToolDescription, other: ToolDescription): void {
  const { properties, $defs: _definitions, ...rest } = tool.inputSchema
  const known = other.inputSchema.properties as Record<string, UnknownObject>
  const own = Object.entries(properties as Record<string, UnknownObject>).map(([name, schema]) => {
    const { description = '', $ref: _definition, ...bare } = schema
    const same = known[name]?.description as string | undefined
    if (name in DEFAULTS || same === undefined) return [name, schema]
    return [name, same.startsWith(description as string) ? bare : { ...bare, description }]
  })
  tool.inputSchema = { ...rest, properties: Object.fromEntries(own) as UnknownObject }
  tool.description += ` Other fields are described in ${other.name}.`
}

const resolved = (schema: UnknownObject, schemas: Schemas): UnknownObject =>
  typeof schema.$ref === 'string' ? schemas.components()[schema.$ref.slice(REFERENCE.length)]! : schema

/** Moves referenced components into `$defs`, and removes keywords without meaning for a model. */
function selfContained(schema: UnknownObject, schemas: Schemas): UnknownObject {
  const components = terse(schemas.components()) as Record<string, UnknownObject>
  const definitions: Record<string, UnknownObject> = {}
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (Object.hasOwn(definitions, name)) continue
      definitions[name] = components[name]!
      visit(components[name])
    }
  }
  const plain = terse(schema) as UnknownObject
  visit(plain)
  const whole = Object.keys(definitions).length > 0 ? { ...plain, $defs: definitions } : plain
  return JSON.parse(JSON.stringify(whole).replaceAll(`"${REFERENCE}`, '"#/$defs/')) as UnknownObject
}

const NO_VALUES = new Set(['null', '""', '[]', '{}'])

function terse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(terse)
  if (typeof schema !== 'object' || schema === null) return schema
  const fields = withoutDefaultInWords(schema)
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [
        key,
        terse(key === 'properties' ? effective(value as UnknownObject, schema) : value),
      ]),
  )
}

/** Removes the last sentence of a description if it repeats the schema's default. */
function withoutDefaultInWords(schema: object): object {
  const { default: value, description } = schema as { default?: unknown; description?: unknown }
  if (typeof description !== 'string' || value === undefined) return schema
  const sentence = [`Default ${value}.`, `Default \`${value}\`.`].find((end) => description.endsWith(end))
  return sentence ? { ...schema, description: description.slice(0, -sentence.length).trimEnd() } : schema
}

/** Matches descriptions of fields that have no effect here, or that have another name. */
const WITHOUT_EFFECT =
  /^The same as `|(?:^|\b)(?:(?:Has )?[Nn]o effect\b|Stored as sent, without effect|Not supported:|Only stored, for clients\.)/

/** Returns the fields that are of use to a model. */
const effective = (
  properties: UnknownObject,
  { required = [] }: { required?: readonly string[] },
): UnknownObject =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, field]) =>
        required.includes(name) ||
        !WITHOUT_EFFECT.test(String((field as UnknownObject | undefined)?.description ?? '')),
    ),
  )

/** Keywords of bounds, which descriptions express in words. */
const BOUNDS = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
  'format',
])

/** Returns whether a keyword adds nothing: examples, bounds, defaults that mean none, and schemas that accept everything. */
const isNoise = (key: string, value: unknown): boolean =>
  (BOUNDS.has(key) && typeof value !== 'object') ||
  (key === 'examples' && Array.isArray(value)) ||
  (key === 'default' && NO_VALUES.has(JSON.stringify(value))) ||
  key === 'propertyNames' ||
  (key === 'additionalProperties' && JSON.stringify(value) === '{}')
