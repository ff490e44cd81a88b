import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { readMatchingIds } from '../list'
import { selectionFields } from '../selection'

export const matchingIdsOperation = operation({
  id: 'feature_flags_matching_ids_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/matching_ids/',
  summary: 'List the ids of all flags that match the filters of the list',
  description: 'Not paged: what a bulk operation takes. Newest first.',
  scope: 'feature_flag:read',
  query: z.object(selectionFields).partial(),
  responses: {
    200: z.object({ ids: z.array(z.int()), total: z.int() }).meta({ id: 'MatchingIds' }),
    400: ErrorBody,
  },
  async handle(context) {
    const ids = await readMatchingIds(context, context.query)
    return { ids, total: ids.length }
  },
})
