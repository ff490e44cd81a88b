// Asks the deployment's model to rewrite a query, after checks in upstream's order. Nothing is saved.
import { eq } from 'drizzle-orm'
import { organizations } from '../../../../drizzle'
import { dialectOf } from '../../../analytics/engine/select-engine'
import type { Organization } from '../../../auth/actor'
import { ApiError } from '../../../errors'
import type { Database } from '../../../storage/database'
import type { EndpointContext } from '../../context'
import { findEndpoint } from '../../find-endpoint'
import { sourceOf } from '../../query/source-query'
import type { MaterializationSuggestion } from './suggestion-schema'
import { conditionsSource, REWRITE_CONTRACT } from '../analysis/rules'
import { compileMaterialization } from '../compile-materialization'
import { type Model, ModelFailed, ModelUnreachable } from './model'
import { suggest } from './rounds'
import { validatorOf } from './validate-rewrite'
import { openAiCompatible } from './openai-compatible'
import { type TextModel, workersAi } from './workers-ai'

const rejection = (status: number, detail: string, cause?: unknown) =>
  new ApiError({
    status,
    type: status < 500 ? 'invalid_request' : 'server_error',
    code: 'error',
    detail,
    shape: 'error',
    headers: status === 503 ? { 'Retry-After': '30' } : {},
    cause,
  })

/**
 * @param version null means the current one
 * @throws 404, 403 and 400 when a suggestion is not available; 503 when the model cannot be reached, 502 when it fails
 */
export async function suggestRewrite(
  context: EndpointContext & { organization: Organization },
  name: string,
  version: number | null,
): Promise<MaterializationSuggestion> {
  const { deps, project, organization } = context
  const current = await findEndpoint(context, name)
  const model = modelOf(deps.env)
  if (!model) throw rejection(404, 'AI materialization suggestions are not enabled for this project.')
  if (!(await isApproved(deps.db, organization.id))) {
    throw rejection(403, 'Enable AI data processing for this organization to use AI suggestions.')
  }
  const row =
    version === null || version === current.version ? current : await findEndpoint(context, name, version)
  const query = sourceOf(row.query)
  if (query.kind !== 'HogQLQuery') {
    throw rejection(400, 'AI materialization suggestions are only available for SQL endpoints.')
  }
  const compileContext = { deps, project, dialect: dialectOf(project.store) }
  const { reason } = await compileMaterialization(compileContext, row)
  if (reason === null) throw rejection(400, 'This query can already be materialized.')
  try {
    const suggestion = await suggest({
      model,
      clock: deps.clock,
      validate: await validatorOf(compileContext, { ...row, query }),
      task: {
        query: query.query,
        reason,
        conditions: conditionsSource(),
        contract: REWRITE_CONTRACT,
      },
    })
    return { ...suggestion, original_reason: reason }
  } catch (error) {
    if (error instanceof ModelUnreachable) {
      throw rejection(503, 'The AI service could not be reached. Try again later.', error)
    }
    if (error instanceof ModelFailed) {
      throw rejection(502, 'The AI suggestion service failed. Try again, or edit the query manually.', error)
    }
    throw error
  }
}

/** Whether the organization has approved that data is sent to a model. The default is false. */
async function isApproved(db: Database, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ isApproved: organizations.isAiDataProcessingApproved })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.isApproved === true
}

/** Settings of the model in `env`; `AI` is the optional Workers AI binding. */
export type ModelSettings = Pick<Env, 'AI_BASE_URL' | 'AI_MODEL' | 'AI_API_KEY'> & { AI?: TextModel }

/**
 * Returns the configured model. Without one it returns null, and there are no suggestions. `AI_BASE_URL` takes precedence over the
 * binding.
 */
export function modelOf({ AI_BASE_URL, AI_MODEL, AI_API_KEY, AI }: ModelSettings): Model | null {
  if (!AI_MODEL) return null
  if (AI_BASE_URL) return openAiCompatible({ baseUrl: AI_BASE_URL, model: AI_MODEL, key: AI_API_KEY ?? '' })
  return AI ? workersAi(AI, AI_MODEL) : null
}
