// Self-contained JSON Schemas of the input and output of tools. Runs in Node only.
import { nameAfter, REFERENCE, type Schemas } from '../docs/schemas'
import type { OperationDocs } from '../http/docs/operation-docs'
import { type Operation, successStatus } from '../http/operation'

type Json = Record<string, unknown>

export type ToolOperation = Omit<Operation, 'handle'>

/** Defaults of path arguments. */
export const DEFAULTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  organization_id: '@current',
  uuid: '@me',
}

/** A parameter of the OpenAPI document. */
export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Json
}

/**
 * Merges path, query and body parameters, in this order of precedence. A parameter of both query and body has the description of the body: that of
 * the query may be about precedence, which tools do not have.
 */
export function inputOf(
  { id, body }: ToolOperation,
  parameters: Parameter[],
  schemas: Schemas,
  { body: docs }: OperationDocs,
): Json {
  const inBody = body
    ? resolved(schemas.of(docs?.schema ?? body, 'input', nameAfter(id, 'Body'), docs), schemas)
    : {}
  const properties: Json = { ...(inBody.properties as Json | undefined) }
  const required = new Set((inBody.required as string[] | undefined) ?? [])
  for (const { name, schema, ...parameter } of parameters.toReversed()) {
    const inBoth = parameter.in === 'query' ? (properties[name] as Json | undefined) : undefined
    const description = inBoth?.description ?? parameter.description
    delete properties[name]
    properties[name] = { ...schema, ...(description ? { description } : {}) }
    if (name in DEFAULTS) Object.assign(properties[name] as Json, { default: DEFAULTS[name] })
    else if (parameter.required) required.add(name)
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

/** The successful response; no schema without a body. `wrapped`: it is not an object. */
export function outputOf(
  operation: ToolOperation,
  schemas: Schemas,
  { response: docs, tool: { rowFields } = {} }: OperationDocs,
): { schema?: Json; wrapped?: true } {
  const { id, responses } = operation
  const success = responses[successStatus(operation)]!
  if (success === 'empty') return {}
  const schema = resolved(schemas.of(success, 'output', nameAfter(id, 'Response'), docs), schemas)
  if (schema.type !== 'object') {
    const wrapped = { type: 'object', properties: { result: schema }, required: ['result'] }
    return { schema: selfContained(wrapped, schemas), wrapped: true }
  }
  return { schema: selfContained(rowFields ? withRowsOf(schema, rowFields, schemas) : schema, schemas) }
}

/** A page whose rows have some fields only. */
function withRowsOf(page: Json, fields: readonly string[], schemas: Schemas): Json {
  const { results, ...rest } = page.properties as Record<string, { items: Json }>
  const row = resolved(results!.items, schemas)
  const properties = Object.fromEntries(fields.map((field) => [field, (row.properties as Json)[field]]))
  const items = { type: 'object', properties, required: fields }
  return { ...page, properties: { ...rest, results: { ...results, items } } }
}

const resolved = (schema: Json, schemas: Schemas): Json =>
  typeof schema.$ref === 'string' ? schemas.components()[schema.$ref.slice(REFERENCE.length)]! : schema

/** Moves referenced components into `$defs`, and removes examples. */
function selfContained(schema: Json, schemas: Schemas): Json {
  const components = withoutExamples(schemas.components()) as Record<string, Json>
  const definitions: Record<string, Json> = {}
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (Object.hasOwn(definitions, name)) continue
      definitions[name] = components[name]!
      visit(components[name])
    }
  }
  const plain = withoutExamples(schema) as Json
  visit(plain)
  const whole = Object.keys(definitions).length > 0 ? { ...plain, $defs: definitions } : plain
  return JSON.parse(JSON.stringify(whole).replaceAll(`"${REFERENCE}`, '"#/$defs/')) as Json
}

function withoutExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExamples)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'examples' && Array.isArray(value)))
      .map(([key, value]) => [key, withoutExamples(value)]),
  )
}
