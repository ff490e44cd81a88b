import * as z from 'zod'
import { invalid } from '../../errors'
import { integer } from '../../http/fields'
import { valueJson } from '../../http/value-words'
import { operation } from '../../http/operation'
import { documentedAs } from '../filters/schema'
import { checkCountedSet } from '../filters/structure'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { conditionSetExample } from '../examples'

const BlastRadiusBody = z
  .object({
    condition: documentedAs('ConditionSet').optional(),
    group_type_index: integer({ min: 0, max: 4 }).nullable().optional(),
  })
  .meta({ id: 'BlastRadiusRequest', required: ['condition'] })

export const userBlastRadiusOperation = operation({
  id: 'feature_flags_user_blast_radius_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/user_blast_radius/',
  summary: 'Count the people or groups that a condition set matches',
  description:
    'Exact up to 2,500 people or groups. Above, an estimate from a random sample of 2,500: within two percentage points ' +
    '19 times in 20.',
  scope: 'feature_flag:read',
  body: BlastRadiusBody,
  responses: {
    200: z.object({ affected: z.int(), total: z.int() }).meta({ id: 'BlastRadius' }),
  },
  async handle(context) {
    const { condition, group_type_index: sent } = context.body
    if (!condition) throw invalid(null, 'Missing condition for which to get blast radius')
    checkCountedSet(condition)
    const { blastRadius } = await import('../evaluate/blast-radius')
    return blastRadius(context, condition, groupTypeIndexOf(condition, sent))
  },
})

/**
 * Returns the group type that a condition set counts, null for people: the one that was sent, or the condition set's own, as flags show it.
 * @throws 400 when they differ
 */
function groupTypeIndexOf(condition: Record<string, unknown>, sent: number | null | undefined): unknown {
  const { aggregation_group_type_index: own } = condition
  if (sent === undefined) return own ?? null
  if (own === undefined || own === sent) return sent
  throw invalid(
    'group_type_index',
    `The condition set has another aggregation_group_type_index: ${valueJson(own).slice(0, 100)}. Send the same, or one of them.`,
  )
}

export const userBlastRadiusDocs = (): OperationDocs => ({
  tool: { membersAs: { condition: 'an entry of `filters.groups` of create-feature-flag' } },
  body: {
    description: 'What to count.',
    fields: {
      condition: 'A condition set; required. Its percentage and variant are ignored.',
      group_type_index: 'Group type to count, 0 to 4; null: people. Default: that of the condition.',
    },
    example: { condition: { properties: conditionSetExample(100).properties }, group_type_index: null },
  },
  response: {
    description: 'Reach of a condition set.',
    fields: {
      affected: 'People, or groups, that match. An estimate above 2,500 in all.',
      total: 'All people, or groups of the type.',
    },
    example: { affected: 120, total: 2400 },
  },
})
