// Builds the tools of `/mcp`. `npm run openapi` writes them to src/public/mcp.json, a static file.
import type { UnknownObject } from '../json'
import type { Area, SdkArea } from '../areas'
import { createSchemas, nameAfter, type Schemas } from '../docs/schemas'
import { parametersOf } from '../docs/parameters'
import type { Docs } from '../docs/collect'
import type { OperationDocs } from '../http/docs/operation-docs'
import { type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import type { Tool, ToolCall, ToolDescription } from './tool'
import { DEFAULTS, inputOf, type ToolOperation, type Parameter, withoutRepeats } from './tool-schemas'

/**
 * Returns a tool for each operation that accepts an API key, without the duplicates inside environments. Clients pass the whole list to a
 * model, so it is terse: there are no output schemas, and no titles, which would repeat the first sentence of the descriptions.
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
  const all = [...tools, ...operations.flatMap(({ id }) => insteadOf(id, operations, schemas, docs))]
  const byName = new Map(all.map((tool) => [tool.describes.name, tool.describes]))
  for (const { id } of operations) {
    const fieldsAs = docs.operations[id]?.tool?.fieldsAs
    if (fieldsAs) withoutRepeats(byName.get(toolNameOf(id, docs))!, byName.get(fieldsAs)!)
  }
  return all
}

/** Returns whether an operation has a tool: it accepts API keys, needs credentials, can succeed and does what no other tool does. */
const isTool = ({ id, scope, access, responses }: Operation, docs: Docs): boolean =>
  scope !== null &&
  access !== 'public' &&
  !docs.operations[id]?.tool?.isDuplicate &&
  !id.startsWith('environments_') &&
  Object.keys(responses).some((status) => Number(status) < 300)

/** Returns an SDK operation with API keys, in the form of the management API (`SdkContext.projectOfKey`). */
const withKey = ({ methods, paths, ...operation }: SdkOperation): ToolOperation => ({
  ...operation,
  method: methods[0]!,
  path: paths[0],
  scope: 'feature_flag:read',
})

/** Returns the upstream name of the tool, if there is one. */
const toolNameOf = (id: string, docs: Docs): string =>
  docs.operations[id]?.tool?.name ?? id.replaceAll('_', '-')

function toolOf(operation: ToolOperation, schemas: Schemas, docs: Docs): Tool {
  const { id, summary, description, scope, method, path, body, query } = operation
  const own = docs.operations[id] ?? {}
  const { rowFields, notFound } = own.tool ?? {}
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
      ...(notFound ? { notFound } : {}),
    } satisfies ToolCall,
  }
}

/** Returns the tool that calls another operation, if the operation documents one. */
function insteadOf(id: string, operations: readonly Operation[], schemas: Schemas, docs: Docs): Tool[] {
  const { instead } = docs.operations[id]?.tool ?? {}
  if (!instead) return []
  const other = toolOf(
    operations.find((each) => each.id === instead.operation)!,
    schemas,
    docs,
  )
  const { inPath } = other.call
  const properties = other.describes.inputSchema.properties as UnknownObject
  const names = Object.keys(inPath)
  return [
    {
      describes: {
        name: toolNameOf(id, docs),
        description: instead.description,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
          required: names.filter((name) => inPath[name] === null),
        },
        annotations: other.describes.annotations,
      },
      scope: other.scope,
      inProject: other.inProject,
      call: { ...other.call, takesBody: false, fixed: instead.fixed },
    },
  ]
}

function hintsOf(
  { method, scope, responses }: ToolOperation,
  { tool = {} }: OperationDocs,
): ToolDescription['annotations'] {
  const { isAdditive = successStatus({ responses }) === 201, isOpenWorld = false } = tool
  const openWorldHint = isOpenWorld
  if (method === 'get' || scope!.endsWith(':read')) return { readOnlyHint: true, openWorldHint }
  // Each PATCH of a flag adds a version. Without a hint, clients treat a tool as destructive and not idempotent (MCP, `ToolAnnotations`).
  return {
    ...(isAdditive ? { destructiveHint: false } : {}),
    ...(method === 'delete' ? { idempotentHint: true } : {}),
    openWorldHint,
  }
}
