// The tools, from the operation lists. Written to docs/public/mcp.json by `npm run openapi`; no part of the Worker's code.
import type { Area, SdkArea } from '../areas'
import { createSchemas, type Schemas } from '../docs/schemas'
import { parametersOf } from '../docs/parameters'
import type { Words } from '../docs/words'
import { type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import { toolNameOf } from './names'
import type { Tool, ToolCall, ToolDescription } from './tool'
import { DEFAULTS, inputOf, type Offered, outputOf, type Parameter, ROW_FIELDS } from './tool-schemas'

type Json = Record<string, unknown>

/** A flag is deleted by an update; DELETE is refused (spec "Feature flags"). */
const DELETES_BY_UPDATE = { tool: 'feature_flags_destroy', through: 'feature_flags_partial_update' }

/** A tool for each operation that a key may call; forms inside environments are the same operations again. */
export function toolCatalogue(areas: readonly Area[], sdk: SdkArea, words: Required<Words>): Tool[] {
  const schemas = createSchemas(words.schemas)
  const operations = areas.flatMap((area) => area.operations)
  const tools = [
    ...operations.filter(isOffered).map((operation) => toolOf(operation, schemas, words)),
    // They name their project by its token, not in the path; without one it is the one that the user of the key works in.
    ...sdk.operations
      .filter(({ security }) => security === 'personalApiKey')
      .map((operation) => ({ ...toolOf(withKey(operation), schemas, words), inProject: true })),
  ]
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

/** An operation that SDKs call with a key, as the management API would have it (`SdkContext.projectOfKey`). */
const withKey = ({ methods, paths, ...operation }: SdkOperation): Offered => ({
  ...operation,
  method: methods[0]!,
  path: paths[0],
  scope: 'feature_flag:read',
})

function toolOf(operation: Offered, schemas: Schemas, words: Required<Words>): Tool {
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
    inProject: path.includes('/:project_id/'),
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
      annotations: update.describes.annotations,
    },
    scope: update.scope,
    inProject: update.inProject,
    // Nothing else can be changed on the way.
    call: { ...update.call, takesBody: false, fixed: { deleted: true } },
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

/** Operations that ask a service beyond this one: a language model. */
const ASKS_OTHERS = new Set(['endpoints_materialization_suggestion_create'])

/** Operations that answer 201, and put what they make in place of what was there. */
const REPLACING = new Set(['integrations_create'])

/** Only what creates leaves everything else as it is. */
function hintsOf({ id, method, scope, responses }: Offered): ToolDescription['annotations'] {
  const readOnlyHint = method === 'get' || scope!.endsWith(':read')
  const isAdditive = (successStatus({ responses }) === 201 && !REPLACING.has(id)) || ADDITIVE.has(id)
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && !isAdditive,
    // PATCH is not (RFC 9110, 9.2.2): a flag has another version after each.
    idempotentHint: readOnlyHint || method === 'put' || method === 'delete',
    openWorldHint: ASKS_OTHERS.has(id),
  }
}
