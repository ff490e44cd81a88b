import * as z from 'zod'
import { operation } from '../../http/operation'
import { REWRITE_CONTRACT } from '../materialization/contract'

export const materializationConditionsOperation = operation({
  id: 'endpoints_materialization_conditions_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/materialization_conditions/',
  summary: 'Read what a query has to be so that it can be materialized',
  description:
    'To rewrite a query that is refused: keep to the contract, meet the conditions, update the endpoint with the new query, and see what ' +
    '`materialization_status` says.',
  scope: 'endpoint:read',
  responses: {
    200: z
      .object({
        conditions_source: z.string(),
        rewrite_contract: z.string(),
      })
      .meta({ id: 'MaterializationConditions' }),
  },
  async handle() {
    // The checks know the whole query language, which few requests need.
    const { conditionsSource } = await import('../materialization/analysis/rules')
    return { conditions_source: conditionsSource(), rewrite_contract: REWRITE_CONTRACT }
  },
})
