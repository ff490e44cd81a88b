import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { invalid, notFound } from '../../errors'
import { cutIdentifier } from '../../evaluation/bucketing'
import { evaluate } from '../../evaluation/evaluate'
import { describeReason } from '../../evaluation/explain/reasons'
import type { FlagContext } from '../context'
import { withDeviceId } from './device-id'
import { attempt, readStore } from './evaluation-errors'
import { parseGroups } from './parse-groups'

interface ReasonsQuery {
  distinct_id: string
  /** A JSON object as text. */
  groups: string
  device_id?: string | undefined
}

const AWAY = { away: 'Feature flag evaluation service is temporarily unavailable. Please try again.' }
const DISABLED = { value: false, evaluation: { reason: 'disabled', condition_index: null } }

/**
 * Evaluates every flag for one person, and returns values with their reasons, by key. Definitions come from the snapshot, so that a
 * request need not read all of them.
 * @param keysSent values of `flag_keys`
 * @throws 400, attr `groups` or `flag_keys`; 500 for stored data that cannot be parsed; 503 when storage fails
 */
export async function evaluationReasons(
  { deps, project }: FlagContext,
  { distinct_id: sent, groups: groupsText, device_id: deviceId }: ReasonsQuery,
  keysSent: readonly string[],
) {
  const { db } = deps
  const groups = parseGroups(groupsText)
  const flagKeys = parseFlagKeys(keysSent)
  const distinctId = cutIdentifier(sent)
  const [loaded, [[person], groupRows]] = await readStore(
    () =>
      Promise.all([
        deps.snapshots.load(project.id),
        db.batch([selectPerson(db, project.id, { distinctId }), selectGroups(db, project.id, groups)]),
      ]),
    AWAY,
  )
  if (!loaded) throw notFound()
  const subject = attempt('Failed to resolve person', () =>
    withDeviceId(subjectFrom(person, groupRows, { distinctId, groups }), deviceId ?? null),
  )
  const { flags: results } = evaluate(loaded.compiled, subject, {
    now: deps.clock.now().getTime(),
    timezone: project.timezone,
    includeEncrypted: true,
    flagKeys: flagKeys && [...flagKeys],
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
  const off = loaded.snapshot.flags
    .filter(({ key, active, archived }) => (!active || archived) && (flagKeys?.has(key) ?? true))
    .map(({ key }) => [key, DISABLED])
  return Object.fromEntries([...evaluated, ...off])
}

/** Parses the keys, and ignores blank ones. Null means all flags. */
function parseFlagKeys(sent: readonly string[]): ReadonlySet<string> | null {
  const keys = sent.map((each) => each.trim()).filter((each) => each !== '')
  return keys.length === 0
    ? null
    : new Set(keys.flatMap((each) => (each.startsWith('[') ? listOfKeys(each) : [each])))
}

function listOfKeys(json: string): string[] {
  let keys: unknown
  try {
    keys = JSON.parse(json)
  } catch {
    throw invalid('flag_keys', 'Invalid JSON in flag_keys parameter')
  }
  if (!Array.isArray(keys) || !keys.every((key): key is string => typeof key === 'string'))
    throw invalid('flag_keys', 'flag_keys must be a JSON array of texts')
  return keys
}
