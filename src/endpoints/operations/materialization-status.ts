import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter, versionParameter } from '../endpoint-example'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { readMaterializationStatus } from '../materialization/read-status'
import { EndpointPath, MaterializationRecord, versionQuery } from '../endpoint-schema'

export const materializationStatusOperation = operation({
  id: 'endpoints_materialization_status_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/materialization_status/',
  summary: 'Read the state of a materialization',
  description:
    'Of the current version, or of `version`. `ready`: runs can read materialized rows. `status`: of the last build; a failed build ' +
    'leaves the rows of the previous one. Where nothing is materialized, `reason` has the cause.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: { 200: MaterializationRecord, 404: ErrorText },
  handle: (context) => readMaterializationStatus(context, context.params.name, context.query.version),
})

export const materializationStatusDocs = (): OperationDocs => ({
  parameters: { name: nameParameter(), version: versionParameter() },
  tool: { name: 'endpoint-materialization-status' },
})
