// The tools of `/mcp`. `npm run openapi` writes them to src/public/mcp.json, a static file.
import type { Area, SdkArea } from '../areas'
import { createSchemas, nameAfter, type Schemas } from '../docs/schemas'
import { parametersOf } from '../docs/parameters'
import type { Docs } from '../docs/collect'
import type { OperationDocs } from '../http/docs/operation-docs'
import { type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import type { Tool, ToolCall, ToolDescription } from './tool'
import { DEFAULTS, inputOf, type ToolOperation, type Parameter, withoutRepeats } from './tool-schemas'

type Json = Record<string, unknown>

/** An update deletes a flag; DELETE answers 405 (spec "Feature flags"). */
const DELETES_BY_UPDATE = { tool: 'feature_flags_destroy', through: 'feature_flags_partial_update' }

/**
 * A tool for each operation that accepts an API key, without the duplicates inside environments. Clients pass the whole list to a model, so
 * it is terse: there are no output schemas, and no titles, which would repeat the first sentence of the descriptions.
 */
export function toolCatalogue(areas: readonly Area[], sdk: SdkArea, docs: Docs): Tool[] {
  const schemas = createSchemas(docs.schemas)
  const operations = areas.flatMap((area) => area.operations)
  // Bodies refer to components of responses.
  for (const { id, responses } of operations) {
    const success = responses[successStatus({ responses })]
    if (success && success !== 'empty') schemas.of(success, 'output', nameAfter(id, 'Response'))
  }
  const tools = [
    ...operations
      .filter((operation) => isTool(operation, docs))
      .map((operation) => toolOf(operation, schemas, docs)),
    // The token in the query names the project; default: the current project of the key's user.
    ...sdk.operations
      .filter(({ security }) => security === 'personalApiKey')
      .map((operation) => ({ ...toolOf(withKey(operation), schemas, docs), inProject: true })),
  ]
  const update = operations.find(({ id }) => id === DELETES_BY_UPDATE.through)!
  const all = [...tools, deletion(toolOf(update, schemas, docs), docs)]
  const byName = new Map(all.map((tool) => [tool.describes.name, tool.describes]))
  for (const { id } of operations) {
    const fieldsAs = docs.operations[id]?.tool?.fieldsAs
    if (fieldsAs) withoutRepeats(byName.get(toolNameOf(id, docs))!, byName.get(fieldsAs)!)
  }
  return all
}

/** Operations that accept API keys, need credentials, can succeed and do what no other tool does. */
const isTool = ({ id, scope, access, responses }: Operation, docs: Docs): boolean =>
  scope !== null &&
  access !== 'public' &&
  !docs.operations[id]?.tool?.isDuplicate &&
  !id.startsWith('environments_') &&
  Object.keys(responses).some((status) => Number(status) < 300)

/** An SDK operation with API keys, in the form of the management API (`SdkContext.projectOfKey`). */
const withKey = ({ methods, paths, ...operation }: SdkOperation): ToolOperation => ({
  ...operation,
  method: methods[0]!,
  path: paths[0],
  scope: 'feature_flag:read',
})

/** The upstream name of the tool, if there is one. */
const toolNameOf = (id: string, docs: Docs): string =>
  docs.operations[id]?.tool?.name ?? id.replaceAll('_', '-')

function toolOf(operation: ToolOperation, schemas: Schemas, docs: Docs): Tool {
  const { id, summary, description, scope, method, path, body, query } = operation
  const own = docs.operations[id] ?? {}
  const { rowFields } = own.tool ?? {}
  const parameters = parametersOf(operation, schemas, own.parameters) as unknown as Parameter[]
  return {
    describes: {
      name: toolNameOf(id, docs),
      description: [`${summary}.`, description].filter(Boolean).join(' '),
      inputSchema: inputOf(operation, parameters, schemas, own),
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
    } satisfies ToolCall,
  }
}

/** The tool that deletes a flag with an update. */
function deletion(update: Tool, docs: Docs): Tool {
  const { project_id, id: flag } = update.describes.inputSchema.properties as Json
  return {
    describes: {
      name: toolNameOf(DELETES_BY_UPDATE.tool, docs),
      description: 'Delete a flag. update-feature-flag with deleted: false restores it.',
      inputSchema: { type: 'object', properties: { project_id, id: flag }, required: ['id'] },
      annotations: update.describes.annotations,
    },
    scope: update.scope,
    inProject: update.inProject,
    call: { ...update.call, takesBody: false, fixed: { deleted: true } },
  }
}

function hintsOf(
  { method, scope, responses }: ToolOperation,
  { tool = {} }: OperationDocs,
): ToolDescription['annotations'] {
  const { isAdditive = successStatus({ responses }) === 201, isOpenWorld = false } = tool
  const openWorldHint = isOpenWorld
  if (method === 'get' || scope!.endsWith(':read')) return { readOnlyHint: true, openWorldHint }
  // Each PATCH of a flag adds a version. Without a hint, clients take a tool as destructive and not idempotent (MCP, `ToolAnnotations`).
  return {
    ...(isAdditive ? { destructiveHint: false } : {}),
    ...(method === 'delete' ? { idempotentHint: true } : {}),
    openWorldHint,
  }
}
