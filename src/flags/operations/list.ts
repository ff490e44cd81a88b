import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { readFlagPage } from '../list'
import { FlagRecord } from '../schema'
import { selectionFields } from '../selection'

export const listFlagsOperation = operation({
  id: 'feature_flags_list',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/',
  summary: 'List the flags of a project',
  description:
    'Deleted flags are never listed, archived ones only on request. Filters combine with AND; newest first.',
  scope: 'feature_flag:read',
  query: z.object({
    ...z.object(selectionFields).partial().shape,
    ...pageQuery,
    order: z.string().optional(),
  }),
  responses: { 200: pageOf(FlagRecord), 400: ErrorBody },
  async handle(context) {
    const { limit, offset, order, ...selection } = context.query
    const { total, records } = await readFlagPage(context, selection, { order, limit, offset })
    return page(context.url, { limit, offset }, total, records)
  },
})
