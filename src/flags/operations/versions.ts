import * as z from 'zod'
import { ApiError } from '../../errors'
import { operation } from '../../http/operation'
import { FlagVersion, idOrNone } from '../schema'
import { originOf, readHistory, reconstruct, versionFrom } from '../read/versions'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { flagParameter } from '../examples'

export const retrieveVersionOperation = operation({
  id: 'feature_flags_versions_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/versions/:version_number/',
  summary: 'Read a version of a flag',
  description:
    'Rebuilt from the activity log. Without a body: 400 (remote configurations have no history), 404 (no such version) ' +
    'and 422 (the log has a gap).',
  scope: 'feature_flag:read',
  params: z.object({ id: idOrNone(), version_number: idOrNone() }),
  responses: { 200: FlagVersion, 400: 'empty', 404: 'empty', 422: 'empty' },
  async handle({ deps: { db }, project, params }) {
    const { row, entries } = await readHistory(db, project.id, params.id, params.version_number)
    if (!row) throw versionError(404, 'not_found', 'Not found.')
    if (row.is_remote_configuration || row.has_encrypted_payloads) throw notAvailable()

    const found = reconstruct(originOf(row), entries, params.version_number)
    switch (found.kind) {
      case 'unknown version':
        throw versionError(404, 'not_found', `Version ${params.version_number} not found.`)
      case 'incomplete log':
        throw versionError(422, 'incomplete_log', 'Activity log is incomplete.')
      case 'found':
        if (found.state.has_encrypted_payloads) throw notAvailable()
        return versionFrom(row, found)
    }
  },
})

/** An error without a body. */
const versionError = (status: number, code: string, detail: string) =>
  new ApiError({ status, type: 'invalid_request', code, detail, shape: 'empty' })

const notAvailable = () =>
  versionError(400, 'version_history_unavailable', 'Version history is not available for this flag.')

export const retrieveVersionDocs = (): OperationDocs => ({
  parameters: {
    ...flagParameter(),
    version_number: { description: 'Number of the version, from 1.', example: 1 },
  },
  tool: {
    notFound:
      'No flag has this id, or the flag has no such version: the version in feature-flag-get-definition is its newest.',
  },
})
