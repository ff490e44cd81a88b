import * as z from 'zod'
import { invalid } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { integer } from '../../http/fields'
import { operation } from '../../http/operation'
import { blastRadius } from '../blast-radius'
import { shapedLike } from '../schema'

const BlastRadiusBody = z
  .object({
    condition: shapedLike('ConditionSet').optional(),
    group_type_index: integer({ min: 0, max: 4 }).nullable().optional(),
  })
  .meta({ id: 'BlastRadiusRequest', required: ['condition'] })

export const userBlastRadiusOperation = operation({
  id: 'feature_flags_user_blast_radius_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/user_blast_radius/',
  summary: 'Count whom a condition set would reach',
  description:
    'Exact up to 2,500 people or groups. Past that the share among 2,500 of them, picked at random, is applied to all: within two ' +
    'percentage points 19 times in 20.',
  scope: 'feature_flag:read',
  body: BlastRadiusBody,
  responses: {
    200: z.object({ affected: z.int(), total: z.int() }).meta({ id: 'BlastRadius' }),
    400: ErrorBody,
  },
  async handle(context) {
    const { condition, group_type_index: index = null } = context.body
    if (!condition) throw invalid(null, 'Missing condition for which to get blast radius')
    return blastRadius(context, condition, index)
  },
})
