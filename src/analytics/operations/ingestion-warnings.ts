import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { IngestionWarningList, warningRecordFrom } from '../warning-records'

export const listIngestionWarningsOperation = operation({
  id: 'ingestion_warnings_list',
  method: 'get',
  path: '/api/projects/:project_id/ingestion_warnings/',
  summary: 'List warnings about events',
  description:
    'What capture did not store in the last 7 days, or not as it was sent, and why. Seconds behind capture.',
  scope: 'ingestion_warning:read',
  responses: { 200: IngestionWarningList },
  handle: async ({ deps, project }) => ({
    results: (await deps.projectObjects.listWarnings(project.id, deps.clock.now())).map(warningRecordFrom),
  }),
})

export const listIngestionWarningsDocs = (): OperationDocs => ({ tool: { isDuplicate: true } })
