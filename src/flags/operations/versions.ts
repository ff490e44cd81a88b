import * as z from 'zod'
import { ApiError } from '../../errors'
import { operation } from '../../http/operation'
import { flagById, selectFlags } from '../rows'
import { idOrNone } from '../schema'
import { sortByPlace } from '../../storage/byte-page'
import { FlagVersion, originOf, reconstruct, selectVersionEntries, versionFrom } from '../versions'

export const retrieveVersionOperation = operation({
  id: 'feature_flags_versions_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/versions/:version_number/',
  summary: 'Read a flag as it was at a version',
  description:
    'Rebuilt from the activity log. No body with 400 (remote configurations keep no history), 404 (no such version) ' +
    'and 422 (the log has a gap).',
  scope: 'feature_flag:read',
  params: z.object({ id: idOrNone(), version_number: idOrNone() }),
  responses: { 200: FlagVersion, 400: 'empty', 404: 'empty', 422: 'empty' },
  async handle({ deps: { db }, project, params }) {
    const [[row], entries] = await db.batch([
      selectFlags(db, flagById(project.id, params.id)),
      selectVersionEntries(db, project.id, params.id),
    ])
    if (!row) throw refusal(404, 'not_found', 'Not found.')
    if (row.isRemoteConfiguration || row.hasEncryptedPayloads) throw notAvailable()

    const steps = sortByPlace(entries).map(({ detail, ...entry }) => ({ ...entry, changes: detail.changes }))
    const found = reconstruct(originOf(row), steps, params.version_number)
    switch (found.kind) {
      case 'unknown version':
        throw refusal(404, 'not_found', `Version ${params.version_number} not found.`)
      case 'incomplete log':
        throw refusal(422, 'incomplete_log', 'Activity log is incomplete.')
      case 'found':
        if (found.state.has_encrypted_payloads) throw notAvailable()
        return versionFrom(row, found)
    }
  },
})

/** The spec gives these answers no body. */
const refusal = (status: number, code: string, detail: string) =>
  new ApiError({ status, type: 'invalid_request', code, detail, shape: 'empty' })

const notAvailable = () =>
  refusal(400, 'version_history_unavailable', 'Version history is not available for this flag.')
