import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { conditionsSource, REWRITE_CONTRACT } from '../materialization/analysis/rules'

export const MaterializationConditions = z
  .object({ conditions_source: z.string(), rewrite_contract: z.string() })
  .meta({ id: 'MaterializationConditions' })

export const MaterializationConditionsDocs = (): SchemaDocs => ({
  description: 'Conditions for materializing a query, for rewriting one that is rejected.',
  fields: {
    conditions_source: 'The rules of the checks, in their order, as text.',
    rewrite_contract: 'What a rewritten query has to preserve, as text.',
  },
  example: { conditions_source: conditionsSource(), rewrite_contract: REWRITE_CONTRACT },
})

export const materializationConditionsOperation = operation({
  id: 'endpoints_materialization_conditions_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/materialization_conditions/',
  summary: 'Read the conditions for materializing a query',
  description:
    'To rewrite a rejected query: keep the contract, meet the conditions, update the endpoint with the new query, and check ' +
    '`materialization_status`.',
  scope: 'endpoint:read',
  responses: { 200: MaterializationConditions },
  async handle() {
    const rules = await import('../materialization/analysis/rules')
    return { conditions_source: rules.conditionsSource(), rewrite_contract: rules.REWRITE_CONTRACT }
  },
})
