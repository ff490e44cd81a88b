import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { featureFlags } from '../../../drizzle'
import { notFoundWithoutBody } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { viewerOf } from '../context'
import { readablePayload } from '../payloads'
import { flagById, flagByKey } from '../rows'

export const remoteConfig = operation({
  id: 'feature_flags_remote_config_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/remote_config/',
  summary: 'Read the payload of a remote configuration flag',
  description:
    'By id or by key. The answer is a JSON string whose content is itself JSON, or null without a payload. ' +
    '404 with no body when there is no such flag, or it is no remote configuration.',
  scope: 'feature_flag:read',
  keyRate: 'REMOTE_CONFIG_RATE',
  params: z.object({ id: z.string() }),
  responses: { 200: z.string().nullable(), 404: 'empty', 500: ErrorBody },
  async handle(context) {
    const { deps, project, params } = context
    const named = /^\d{1,15}$/.test(params.id)
      ? flagById(project.id, Number(params.id))
      : flagByKey(project.id, params.id)
    const [flag] = await deps.db
      .select({ filters: featureFlags.filters })
      .from(featureFlags)
      .where(and(named, eq(featureFlags.deleted, false), eq(featureFlags.isRemoteConfiguration, true)))
    if (!flag) throw notFoundWithoutBody()
    return Response.json(await readablePayload(flag.filters.payloads?.true ?? null, viewerOf(context)))
  },
})
