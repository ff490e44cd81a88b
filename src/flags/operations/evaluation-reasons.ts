import * as z from 'zod'
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/subject'
import { invalid } from '../../errors'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { selectGeneration } from '../../storage/flags-generation'
import { flagSetFrom, selectFlagSet } from '../../snapshots/definitions'
import { cutIdentifier } from '../../evaluation/bucketing'
import { compile } from '../../evaluation/compile'
import { evaluate } from '../../evaluation/evaluate'
import { describeReason } from '../../evaluation/reasons'
import { isObject, type JsonObject } from '../../json'
import { attempt, readStore } from '../evaluation-faults'

const EvaluationReason = z
  .object({
    value: z.union([z.boolean(), z.string()]),
    evaluation: z.object({
      reason: z.string(),
      condition_index: z.int().nullable(),
      description: z.string().nullable().optional(),
    }),
  })
  .meta({ id: 'EvaluationReason' })

export const evaluationReasonsOperation = operation({
  id: 'feature_flags_evaluation_reasons_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/evaluation_reasons/',
  summary: 'See what every flag says for one person, and why',
  description: 'By flag key. Flags that are off for everybody are there too, with the reason `disabled`.',
  scope: 'feature_flag:read',
  query: z.object({
    distinct_id: text(),
    groups: z.string().default('{}'),
  }),
  responses: { 200: z.record(z.string(), EvaluationReason), 400: ErrorBody, 500: ErrorText, 503: ErrorText },
  async handle({ deps, project, query }) {
    const { db } = deps
    const groups = parseGroups(query.groups)
    const distinctId = cutIdentifier(query.distinct_id)
    const [[settings], flags, cohorts, groupTypes, [person], groupRows] = await readStore(
      () =>
        db.batch([
          selectGeneration(db, project.id),
          ...selectFlagSet(db, project.id),
          selectPerson(db, project.id, { distinctId }),
          selectGroups(db, project.id, groups),
        ]),
      { away: 'Feature flag evaluation service is temporarily unavailable. Please try again.' },
    )
    const subject = attempt('Failed to resolve person', () =>
      subjectFrom(person, groupRows, { distinctId, groups }),
    )
    const set = compile(flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes))
    const now = deps.clock.now().getTime()
    const { flags: results } = evaluate(set, subject, {
      now,
      timezone: project.timezone,
      includeEncrypted: true,
    })

    const answered = [...results].map(([key, result]) => [
      key,
      {
        value: result.value,
        evaluation: {
          reason: result.reason.code,
          condition_index: result.reason.condition_index,
          description: describeReason(result),
        },
      },
    ])
    const off = flags.filter(({ active, archived }) => !active || archived).map(({ key }) => [key, DISABLED])
    return Object.fromEntries([...answered, ...off])
  },
})

const DISABLED = { value: false, evaluation: { reason: 'disabled', condition_index: null } }

function parseGroups(sent: string): JsonObject {
  if (sent.trim() === '') return {}
  let groups: unknown
  try {
    groups = JSON.parse(sent)
  } catch {
    throw invalid('groups', 'Invalid JSON in groups parameter')
  }
  if (!isObject(groups)) throw invalid('groups', 'groups must be a JSON object')
  return groups
}
