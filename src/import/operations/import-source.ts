import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { SourceCall, SourceReply } from '../source-call'

export const callSourceOperation = operation({
  id: 'import_source_create',
  method: 'post',
  path: '/api/projects/:project_id/import_source/',
  summary: 'Read from the source of an import',
  description:
    'Calls PostHog, another Halyard or Unleash for the console, which browsers do not allow it to call. Only what an import reads can be called. The key is not stored.',
  scope: null,
  throttles: [{ name: 'import_source', calls: 3_000, seconds: 600 }],
  body: SourceCall,
  responses: { 200: SourceReply, 400: ErrorBody, 429: ErrorBody },
  handle: async ({ deps, actor, project, body, url }) =>
    (await import('../call-source')).callSource(deps, actor, project, body, url),
})

export const callSourceDocs = (): OperationDocs => ({})
