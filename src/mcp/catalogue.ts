// The tools, from the operation lists. Written to docs/public/mcp.json by `npm run openapi`; no part of the Worker's code.
import type { Area, SdkArea } from '../areas'
import { createSchemas, type Schemas } from '../docs/schemas'
import { parametersOf } from '../docs/parameters'
import type { Docs } from '../docs/collect'
import type { OperationDocs } from '../http/docs/operation-docs'
import { type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import type { Tool, ToolCall, ToolDescription } from './tool'
import { DEFAULTS, inputOf, type Offered, outputOf, type Parameter } from './tool-schemas'

type Json = Record<string, unknown>

/** A flag is deleted by an update; DELETE is refused (spec "Feature flags"). */
const DELETES_BY_UPDATE = { tool: 'feature_flags_destroy', through: 'feature_flags_partial_update' }

/** A tool for each operation that a key may call; forms inside environments are the same operations again. */
export function toolCatalogue(areas: readonly Area[], sdk: SdkArea, docs: Docs): Tool[] {
  const schemas = createSchemas(docs.schemas)
  const operations = areas.flatMap((area) => area.operations)
  const tools = [
    ...operations.filter(isOffered).map((operation) => toolOf(operation, schemas, docs)),
    // They name their project by its token, not in the path; without one it is the one that the user of the key works in.
    ...sdk.operations
      .filter(({ security }) => security === 'personalApiKey')
      .map((operation) => ({ ...toolOf(withKey(operation), schemas, docs), inProject: true })),
  ]
  const update = operations.find(({ id }) => id === DELETES_BY_UPDATE.through)!
  return [
    ...tools,
    deletion(
      operations.find(({ id }) => id === DELETES_BY_UPDATE.tool)!,
      toolOf(update, schemas, docs),
      docs,
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

/** The name of the tool for an operation: the one that clients of upstream know, if there is one. */
export const toolNameOf = (id: string, docs: Docs): string =>
  docs.operations[id]?.tool?.name ?? id.replaceAll('_', '-')

function toolOf(operation: Offered, schemas: Schemas, docs: Docs): Tool {
  const { id, summary, description, scope, method, path, body, query } = operation
  const own = docs.operations[id] ?? {}
  const { rowFields } = own.tool ?? {}
  const parameters = parametersOf(operation, schemas, own.parameters) as unknown as Parameter[]
  const answer = outputOf(operation, schemas, own)
  return {
    describes: {
      name: toolNameOf(id, docs),
      title: summary,
      description: [`${summary}.`, description].filter(Boolean).join(' '),
      inputSchema: inputOf(operation, parameters, schemas, own),
      ...(answer.schema ? { outputSchema: answer.schema } : {}),
      annotations: hintsOf(operation, own),
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
      ...(rowFields ? { rowFields } : {}),
      ...(answer.wrapped ? { wrapped: true } : {}),
    } satisfies ToolCall,
  }
}

/** The tool that deletes by the update that the operation itself refuses to be. */
function deletion({ id, summary }: Operation, update: Tool, docs: Docs): Tool {
  const { project_id, id: flag } = update.describes.inputSchema.properties as Json
  const { outputSchema } = update.describes
  return {
    describes: {
      name: toolNameOf(id, docs),
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

/** Only what creates leaves everything else as it is. */
function hintsOf(
  { method, scope, responses }: Offered,
  { tool = {} }: OperationDocs,
): ToolDescription['annotations'] {
  const readOnlyHint = method === 'get' || scope!.endsWith(':read')
  const { isAdditive = successStatus({ responses }) === 201, isOpenWorld = false } = tool
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && !isAdditive,
    // PATCH is not (RFC 9110, 9.2.2): a flag has another version after each.
    idempotentHint: readOnlyHint || method === 'put' || method === 'delete',
    openWorldHint: isOpenWorld,
  }
}
