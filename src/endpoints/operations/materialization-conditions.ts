import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'

export const MaterializationConditions = z
  .object({ conditions_source: z.string(), rewrite_contract: z.string() })
  .meta({ id: 'MaterializationConditions' })

export const MaterializationConditionsDocs = (): SchemaDocs => ({
  description: 'Conditions for materializing a query, for rewriting one that is rejected.',
  fields: {
    conditions_source:
      'The conditions that the checks of this service run, in their order, each with every reason it gives, and then the TypeScript source of the checks: files, each after a comment with its path.',
    rewrite_contract: 'What a rewritten query has to preserve, as text.',
  },
  // The example is an excerpt. Importing the texts would load the checks, and with them HogQL, when an isolate starts.
  example: {
    conditions_source:
      "1. [kind] The kind of the query is one of HogQLQuery, TrendsQuery, LifecycleQuery, RetentionQuery.\n   - Query type '<kind>' cannot be materialized. Supported types: <supported>",
    rewrite_contract: 'For all values of the variables, the rewritten query returns the same rows.',
  },
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
    const [rules, { default: files }] = await Promise.all([
      import('../materialization/analysis/rules'),
      import('../materialization/checks-source.json'),
    ])
    const texts = Object.entries(files).map(([path, lines]) => [`// ${path}`, ...lines].join('\n'))
    return {
      conditions_source: [rules.conditionsSource(), 'The source of the checks:', ...texts].join('\n\n'),
      rewrite_contract: rules.REWRITE_CONTRACT,
    }
  },
})
