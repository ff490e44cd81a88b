// The tools, from the operation lists. Written to docs/public/mcp.json by `npm run openapi`; no part of the Worker's code.
import type { Area } from '../docs/openapi'
import { parametersOf } from '../docs/parameters'
import { createSchemas, nameAfter, REFERENCE, type Schemas } from '../docs/schemas'
import type { Words } from '../docs/words'
import { type Operation, successStatus } from '../http/operation'
import { toolNameOf } from './names'
import type { Tool, ToolCall, ToolDescription } from './tool'

type Json = Record<string, unknown>

/** What counts where an argument of the path is left out. */
const DEFAULTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  organization_id: '@current',
  uuid: '@me',
}

/** A flag is deleted by an update; DELETE is refused (spec "Feature flags"). */
const DELETES_BY_UPDATE = { tool: 'feature_flags_destroy', through: 'feature_flags_partial_update' }

/** Flags are many and large: who wants one whole asks for it (reference/flags-api.md §17). */
const ROW_FIELDS: Readonly<Record<string, readonly string[]>> = {
  feature_flags_list: ['id', 'key', 'name', 'updated_at', 'status', 'tags'],
}

/** A tool for each operation that a key may call; forms inside environments are the same operations again. */
export function toolCatalogue(areas: readonly Area[], words: Required<Words>): Tool[] {
  const schemas = createSchemas(words.schemas)
  const operations = areas.flatMap((area) => area.operations)
  const tools = operations.filter(isOffered).map((operation) => toolOf(operation, schemas, words))
  const update = operations.find(({ id }) => id === DELETES_BY_UPDATE.through)!
  return [
    ...tools,
    deletion(
      operations.find(({ id }) => id === DELETES_BY_UPDATE.tool)!,
      toolOf(update, schemas, words),
    ),
  ]
}

/** What no key may call, what needs none, and what never succeeds, is no tool. */
const isOffered = ({ id, scope, access, responses }: Operation): boolean =>
  scope !== null &&
  access !== 'anybody' &&
  !id.startsWith('environments_') &&
  Object.keys(responses).some((status) => Number(status) < 300)

function toolOf(operation: Operation, schemas: Schemas, words: Required<Words>): Tool {
  const { id, summary, description, scope, method, path, body, query } = operation
  const parameters = parametersOf(operation, schemas, words.operations[id] ?? {}) as unknown as Parameter[]
  const answer = outputOf(operation, schemas)
  return {
    describes: {
      name: toolNameOf(id),
      title: summary,
      description: [`${summary}.`, description].filter(Boolean).join(' '),
      inputSchema: inputOf(operation, parameters, schemas),
      ...(answer.schema ? { outputSchema: answer.schema } : {}),
      annotations: hintsOf(operation),
    },
    scope: scope!,
    call: {
      method,
      path,
      inPath: Object.fromEntries(
        parameters.filter((each) => each.in === 'path').map(({ name }) => [name, DEFAULTS[name] ?? null]),
      ),
      inQuery: query ? parameters.filter((each) => each.in === 'query').map(({ name }) => name) : [],
      takesBody: body !== undefined,
      ...(ROW_FIELDS[id] ? { rowFields: ROW_FIELDS[id] } : {}),
      ...(answer.wrapped ? { wrapped: true } : {}),
    } satisfies ToolCall,
  }
}

/** The tool that deletes by the update that the operation itself refuses to be. */
function deletion({ id, summary }: Operation, update: Tool): Tool {
  const { project_id, id: flag } = update.describes.inputSchema.properties as Json
  const { outputSchema } = update.describes
  return {
    describes: {
      name: toolNameOf(id),
      title: summary,
      description: 'Delete a flag. It is kept, and update-feature-flag with deleted: false brings it back.',
      inputSchema: { type: 'object', properties: { project_id, id: flag }, required: ['id'] },
      ...(outputSchema ? { outputSchema } : {}),
      annotations: { ...update.describes.annotations, destructiveHint: true, idempotentHint: true },
    },
    scope: update.scope,
    call: { ...update.call, fixed: { deleted: true } },
  }
}

/** Operations that create, and answer with another status than 201. */
const ADDITIVE = new Set([
  'feature_flags_create_static_cohort_for_flag_create',
  'feature_flags_dashboard_create',
  'feature_flags_enrich_usage_dashboard_create',
  'users_integrations_chat_start_create',
  'users_push_tokens_create',
])

/** Only what creates leaves everything else as it is. */
function hintsOf({ id, method, scope, responses }: Operation): ToolDescription['annotations'] {
  const readOnlyHint = method === 'get' || scope!.endsWith(':read')
  const isAdditive = successStatus({ responses }) === 201 || ADDITIVE.has(id)
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && !isAdditive,
    idempotentHint: readOnlyHint || method !== 'post',
    openWorldHint: false,
  }
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Json
}

/** Arguments: what stands in the path, in the query and in the body, side by side. A name that is taken hides what comes after it. */
function inputOf({ id, body }: Operation, parameters: Parameter[], schemas: Schemas): Json {
  const inBody = body ? resolved(schemas.of(body, 'input', nameAfter(id, 'Body')), schemas) : {}
  const properties: Json = { ...(inBody.properties as Json | undefined) }
  const required = new Set((inBody.required as string[] | undefined) ?? [])
  for (const { name, description, schema, ...parameter } of parameters.toReversed()) {
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

function outputOf(operation: Operation, schemas: Schemas): { schema?: Json; wrapped?: true } {
  const { id, responses } = operation
  const success = responses[successStatus(operation)]!
  if (success === 'empty') return {}
  const schema = resolved(schemas.of(success, 'output', nameAfter(id, 'Answer')), schemas)
  if (schema.type !== 'object') {
    const wrapped = { type: 'object', properties: { result: schema }, required: ['result'] }
    return { schema: selfContained(wrapped, schemas), wrapped: true }
  }
  const fields = ROW_FIELDS[id]
  return { schema: selfContained(fields ? withRowsOf(schema, fields, schemas) : schema, schemas) }
}

/** A page whose rows keep some fields only. */
function withRowsOf(page: Json, fields: readonly string[], schemas: Schemas): Json {
  const { results, ...rest } = page.properties as Record<string, { items: Json }>
  const row = resolved(results!.items, schemas)
  const properties = Object.fromEntries(fields.map((field) => [field, (row.properties as Json)[field]]))
  const items = { type: 'object', properties, required: fields }
  return { ...page, properties: { ...rest, results: { ...results, items } } }
}

const resolved = (schema: Json, schemas: Schemas): Json =>
  typeof schema.$ref === 'string' ? schemas.components()[schema.$ref.slice(REFERENCE.length)]! : schema

/** A schema with everything that it refers to inside it, and without what only readers of the reference want. */
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
