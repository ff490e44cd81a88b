import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { nearestName } from '../../edit-distance'
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
 * @throws 400, attr `groups` or `flag_keys`, also for a key that no flag has; 500 for stored data that cannot be parsed; 503 when storage fails
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
  if (flagKeys) requireFlags(flagKeys, loaded.snapshot.flags)
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

/** @throws 400 for a key that no flag has, with the closest one. Without the flag, the response would be that of a flag that is off. */
function requireFlags(wanted: ReadonlySet<string>, flags: readonly { key: string }[]): void {
  const known = new Set(flags.map(({ key }) => key))
  for (const key of wanted) {
    if (known.has(key)) continue
    const meant = nearestName(key, known, MAX_TYPING_ERRORS)
    throw invalid(
      'flag_keys',
      `No flag has the key "${key.slice(0, MAX_SHOWN)}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    )
  }
}

/** Maximum typing errors of a key for which the error suggests another one. */
const MAX_TYPING_ERRORS = 2
/** Characters of an unknown key that the error shows. */
const MAX_SHOWN = 100

/** Parses the keys, and ignores blank ones. Null means all flags. */
function parseFlagKeys(sent: readonly string[]): ReadonlySet<string> | null {
  const texts = sent.map((each) => each.trim()).filter((each) => each !== '')
  if (texts.length === 0) return null
  // A key of a flag has no comma.
  const keys = texts.flatMap((each) => (each.startsWith('[') ? listOfKeys(each) : each.split(',')))
  return new Set(keys.map((each) => each.trim()).filter((each) => each !== ''))
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
