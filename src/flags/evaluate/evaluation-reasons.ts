import { withEngines } from '../../evaluation/regex/load-backtracking'
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { invalid } from '../../errors'
import { cutIdentifier } from '../../evaluation/bucketing'
import { compile } from '../../evaluation/compile/compile'
import { evaluate } from '../../evaluation/evaluate'
import { notGroupKey, typeWithoutKey } from '../../evaluation/group-keys'
import { describeReason } from '../../evaluation/explain/reasons'
import { parseExactly } from '../../http/body/exact-integers'
import { isObject, type JsonObject } from '../../json'
import { flagSetFrom, selectFlagSet } from '../../snapshots/definitions'
import { selectGeneration } from '../../storage/flags-generation'
import type { FlagContext } from '../context'
import { withDeviceId } from './device-id'
import { attempt, readStore } from './evaluation-errors'

interface ReasonsQuery {
  distinct_id: string
  /** A JSON object. */
  groups: string
  device_id?: string | undefined
}

const DISABLED = { value: false, evaluation: { reason: 'disabled', condition_index: null } }

/**
 * The value of every flag for one person, with its reason, by key.
 * @throws 400, attr `groups`; 500 and 503 by the spec's table
 */
export async function evaluationReasons(
  { deps, project }: FlagContext,
  { distinct_id: sent, groups: groupsText, device_id: deviceId }: ReasonsQuery,
) {
  const { db } = deps
  const groups = parseGroups(groupsText)
  const distinctId = cutIdentifier(sent)
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
    withDeviceId(subjectFrom(person, groupRows, { distinctId, groups }), deviceId ?? null),
  )
  const set = await withEngines(
    compile(flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)),
  )
  const { flags: results } = evaluate(set, subject, {
    now: deps.clock.now().getTime(),
    timezone: project.timezone,
    includeEncrypted: true,
  })
  const evaluated = [...results].map(([key, result]) => [
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
  return Object.fromEntries([...evaluated, ...off])
}

function parseGroups(sent: string): JsonObject {
  if (sent.trim() === '') return {}
  let groups: unknown
  try {
    groups = parseExactly(sent)
  } catch {
    throw invalid('groups', 'Invalid JSON in groups parameter')
  }
  if (!isObject(groups)) throw invalid('groups', 'groups must be a JSON object')
  const type = typeWithoutKey(groups)
  if (type !== undefined) throw invalid('groups', notGroupKey(type))
  return groups
}
