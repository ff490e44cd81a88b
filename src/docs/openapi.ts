// Builds the OpenAPI 3.1 document. `npm run openapi` writes it to public/openapi.json, a static file.
import type { UnknownObject } from '../json'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Area, SdkArea } from '../areas'
import { CSRF_COOKIE, SESSION_COOKIE } from '../auth/cookies'
import type { TagDocs } from '../http/docs/operation-docs'
import type { Method } from '../http/operation'
import type { Docs } from './collect'
import { type Context, describeOperation, templateOf } from './describe'
import { describeSdkOperation } from './describe-sdk-operation'
import { errorComponents, HEADERS } from './errors'
import { createSchemas, withOptionalDefaults } from './schemas'

export function openApiDocument(areas: readonly Area[], sdk: SdkArea, docs: Docs): UnknownObject {
  const context: Context = { schemas: createSchemas(docs.schemas), docs }
  const paths: Record<string, UnknownObject> = {}
  const add = (path: string, method: Method, described: UnknownObject) => {
    paths[path] = { ...paths[path], [method]: described }
  }
  for (const { tag, operations } of areas) {
    for (const operation of operations) {
      const path = templateOf(operation.path)
      add(
        path,
        operation.method,
        describeOperation(operation, docs.tagOf[operation.id]?.name ?? tag, context),
      )
    }
  }
  for (const operation of sdk.operations) {
    for (const method of operation.methods) {
      add(templateOf(operation.paths[0]), method, describeSdkOperation(operation, method, sdk.tag, context))
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Halyard',
      version: '1',
      summary: 'Feature flags, accounts and saved queries at the edge.',
      description: readFileSync(join(import.meta.dirname, 'about.md'), 'utf8').trim(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This deployment.' }],
    security: [{ personalApiKey: [] }, { session: [] }],
    tags: [...areas.flatMap((area) => tagsOf(area, docs)), { name: sdk.tag, description: sdk.description }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: errorComponents(),
      headers: HEADERS,
      schemas: withOptionalDefaults(context.schemas.components()),
    },
  }
}

/** Returns the tags of an area, its own first, if operations have it. */
function tagsOf({ tag: name, description, operations }: Area, { tagOf, tags }: Docs): TagDocs[] {
  const used = new Set(operations.map(({ id }) => tagOf[id]))
  return [...(used.has(undefined) ? [{ name, description }] : []), ...tags.filter((tag) => used.has(tag))]
}

const SECURITY_SCHEMES = {
  personalApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key (`phx_…`) with the scope of the operation. Without the header, `personal_api_key` in the body or the query works too.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The session cookie. Unsafe methods also need the cookie \`${CSRF_COOKIE}\` in the header \`X-CSRFToken\`.`,
  },
  projectToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The public token of a project (`phc_…`). The header `X-API-Key` works too.',
  },
}
