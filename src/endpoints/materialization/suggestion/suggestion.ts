// Asking the deployment's model for a form of a query that can be materialized: who may ask, and for what (reference/endpoints-api.md §5.10).
// Nothing is saved.
import { eq } from 'drizzle-orm'
import { organizations } from '../../../../drizzle'
import { dialectOf } from '../../../analytics/engine'
import type { Organization } from '../../../auth/actor'
import { ApiError } from '../../../errors'
import type { Database } from '../../../storage/database'
import type { EndpointContext } from '../../context'
import { findEndpoint } from '../../find'
import type { HogqlQuery } from '../../query/shape'
import type { EndpointRow } from '../../rows'
import { conditionsSource } from '../analysis/rules'
import { REWRITE_CONTRACT } from '../contract'
import { planMaterialization } from '../plan'
import { modelOf } from './configured-model'
import { ModelFailed, ModelUnreachable } from './model-errors'
import { suggest, type Suggestion } from './rounds'
import { validatorOf } from './validate'

/** A refusal in one sentence. */
const refusal = (status: number, detail: string, cause?: unknown) =>
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
 * Suggests another form of a version's query.
 * @param version null: the current one.
 * @throws 404, 403 and 400 for what may not be asked; 503 when the model cannot be reached, 502 when it fails.
 */
export async function suggestRewrite(
  context: EndpointContext & { organization: Organization },
  name: string,
  version: number | null,
): Promise<Suggestion & { original_reason: string }> {
  const { deps, project, organization } = context
  const current = await findEndpoint(context, name)
  const model = modelOf(deps.env)
  if (!model) throw refusal(404, 'AI materialization suggestions are not enabled for this project.')
  if (!(await isApproved(deps.db, organization.id))) {
    throw refusal(403, 'Enable AI data processing for this organization to use AI suggestions.')
  }
  const row =
    version === null || version === current.version ? current : await findEndpoint(context, name, version)
  if (!isHogql(row)) {
    throw refusal(400, 'AI materialization suggestions are only available for SQL endpoints.')
  }
  const place = { deps, project, dialect: dialectOf(project.store) }
  const { reason } = await planMaterialization(place, row)
  if (reason === null) throw refusal(400, 'This query can already be materialized.')
  try {
    const suggestion = await suggest({
      model,
      clock: deps.clock,
      validate: await validatorOf(place, row),
      task: {
        query: row.query.query,
        reason,
        conditions: conditionsSource(),
        contract: REWRITE_CONTRACT,
      },
    })
    return { ...suggestion, original_reason: reason }
  } catch (error) {
    if (error instanceof ModelUnreachable) {
      throw refusal(503, 'The AI service could not be reached. Try again later.', error)
    }
    if (error instanceof ModelFailed) {
      throw refusal(502, 'The AI suggestion service failed. Try again, or edit the query manually.', error)
    }
    throw error
  }
}

const isHogql = (row: EndpointRow): row is EndpointRow & { query: HogqlQuery } =>
  row.query.kind === 'HogQLQuery'

/** Whether an organization lets its data go to a model. Not to have said so is no. */
async function isApproved(db: Database, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ isApproved: organizations.isAiDataProcessingApproved })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.isApproved === true
}
