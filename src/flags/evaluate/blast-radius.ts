// Counts the people or groups that a condition set matches, whatever its rollout, by evaluating it.
import { withEngines } from '../../evaluation/regex/load-engines'
import { selectCohortClosure } from '../cohorts/select-closure'
import {
  countGroups,
  countPersons,
  mayBeMore,
  parseProperties,
  relatedRowsOf,
  selectSampledGroups,
  selectSampledPersons,
  subjectFrom,
  UnreadableProperties,
} from '../../analytics/evaluation-subject'
import type { FlagContext } from '../context'
import { selectTargets, targetsById } from '../read/linked-objects'
import { flagSetFrom, selectFlagClosure } from '../../snapshots/definitions'
import { EvaluationBudget } from '../../evaluation/budget'
import { compile } from '../../evaluation/compile/compile'
import type { CompiledFlagSet } from '../../evaluation/compile/compiled'
import type { Subject } from '../../evaluation/context'
import { evaluate } from '../../evaluation/evaluate'
import { referencesIn } from '../filters/analysis'
import type { ConditionSet } from '../filters/flag-filters'
import { cohortsById } from '../filters/cohorts'
import { checkStructure } from '../filters/structure'
import { validateFilters } from '../filters/validate'
import { selectGeneration } from '../../storage/flags-generation'
import { totalIn } from '../../storage/count'
import { apiErrorIn, invalid } from '../../errors'

/**
 * Random subjects that are evaluated. There are fewer when their properties are too large or the budget is exceeded. With 2,500, the
 * share is within two percentage points 19 times out of 20.
 */
export const MAX_SAMPLE = 2_500
/** The least subjects of an estimate, when the budget is exceeded: the share is within five percentage points 19 times out of 20. */
const MIN_SAMPLE = 400
/** Maximum reads of the sample. Each is at most MAX_PAGE_BYTES, and one is enough unless properties are large. */
const MAX_READS = 4

/** The flag with the condition set. No stored flag has its id, or a key with a space. */
const PROBE = { id: -1, key: 'blast radius' }

export interface BlastRadius {
  affected: number
  total: number
}

/**
 * @param index of the group type to count; null counts people
 * @throws 400, attr `condition`, for a condition or an index that no flag could have.
 */
export async function blastRadius(
  context: FlagContext,
  condition: Record<string, unknown>,
  index: unknown,
): Promise<BlastRadius> {
  const groupTypeIndex = index as number | null
  // The rules of filters reject an index of another type.
  const probe = await probeOf(context, condition, groupTypeIndex)
  return groupTypeIndex === null
    ? reachOfPersons(context, probe)
    : reachOfGroups(context, probe, groupTypeIndex)
}

async function probeOf(...[context, condition, index]: Parameters<typeof readProbe>): Promise<Probe> {
  try {
    // The probe has another percentage and variant.
    checkStructure({ groups: [condition] }, { requireGroups: true, stored: null })
    return await readProbe(context, condition, index)
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (rejection?.attr !== 'filters') throw error
    throw invalid('condition', rejection.detail.replaceAll('groups[0]', 'condition'), rejection.code)
  }
}

export interface Probe {
  compiled: CompiledFlagSet
  budget: EvaluationBudget
  matches(subject: Subject): boolean
}

/** @throws 400, attr `filters`, for a condition that no flag could have. */
export async function readProbe(
  { deps, project }: FlagContext,
  condition: Record<string, unknown>,
  index: number | null,
): Promise<Probe> {
  const { db } = deps
  const sent = {
    groups: [{ ...condition, rollout_percentage: 100, variant: null, aggregation_group_type_index: index }],
  } satisfies { groups: ConditionSet[] }
  const references = referencesIn(sent)
  const [targets, cohorts] = await db.batch([
    selectTargets(db, project.id, references.flagIds),
    selectCohortClosure(db, project.id, references.cohortIds),
  ])
  const filters = validateFilters(sent, {
    self: { id: null, key: PROBE.key },
    stored: null,
    isRemoteConfiguration: false,
    linkedToEarlyAccess: false,
    targets: targetsById(targets),
    cohorts: cohortsById(cohorts),
  })
  const [[settings], flags, cohortRows, groupTypes] = await db.batch([
    selectGeneration(db, project.id),
    ...selectFlagClosure(db, project.id, references),
  ])
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohortRows, groupTypes)
  const compiled = await withEngines(
    compile({ ...set, flags: [...set.flags, { ...PROBE, active: true, filters }] }),
  )
  const budget = new EvaluationBudget()
  const options = {
    now: deps.clock.now().getTime(),
    timezone: project.timezone,
    flagKeys: [PROBE.key],
    budget,
  }
  return {
    compiled,
    budget,
    matches: (subject) => evaluate(compiled, subject, options).flags.get(PROBE.key)?.enabled ?? false,
  }
}

async function reachOfPersons({ deps: { db }, project }: FlagContext, probe: Probe): Promise<BlastRadius> {
  let after = ''
  const related = relatedRowsOf(probe.compiled)
  const total = totalIn(await countPersons(db, project.id))
  return reachOf(total, probe, async (limit) => {
    const people = await selectSampledPersons(db, project.id, related, after, limit)
    for (const { uuid } of people) if (uuid.slice(24) > after) after = uuid.slice(24)
    return {
      isLast: !mayBeMore(people, limit),
      subjects: people.map(
        (person) => () => subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' }),
      ),
    }
  })
}

async function reachOfGroups(
  { deps: { db }, project }: FlagContext,
  probe: Probe,
  index: number,
): Promise<BlastRadius> {
  const type = probe.compiled.groupTypes.get(index)
  if (type === undefined) return { affected: 0, total: 0 }
  let after = Number.MIN_SAFE_INTEGER
  const total = totalIn(await countGroups(db, project.id, index))
  return reachOf(total, probe, async (limit) => {
    const rows = await selectSampledGroups(db, project.id, index, after, limit)
    for (const { sampleKey } of rows) after = Math.max(after, sampleKey ?? after)
    return {
      isLast: !mayBeMore(rows, limit),
      subjects: rows.map((row) => () => ({
        distinctId: '',
        personProperties: {},
        groups: { [type]: row.key },
        groupProperties: { [type]: { ...parseProperties(row.properties), $group_key: row.key } },
      })),
    }
  })
}

interface SampleRead {
  /** Functions that return a subject. Each throws UnreadableProperties for malformed stored properties. */
  subjects: (() => Subject)[]
  isLast: boolean
}

/**
 * @param read returns the next subjects of the sample, at most `limit`
 * @throws 400, attr `condition`, when the budget ends before there are enough for an estimate
 */
async function reachOf(
  total: number,
  { matches, budget }: Probe,
  read: (limit: number) => Promise<SampleRead>,
): Promise<BlastRadius> {
  let [seen, matched] = [0, 0]
  for (let reads = 0; reads < MAX_READS && seen < MAX_SAMPLE; reads += 1) {
    const { subjects, isLast } = await read(MAX_SAMPLE - seen)
    for (const subject of subjects) {
      const isMatch = isMatchOf(() => matches(subject()))
      if (budget.exceeded > 0) {
        if (seen >= MIN_SAMPLE) return scaled(matched, seen, total)
        throw invalid('condition', 'This condition takes too long to evaluate to count whom it matches.')
      }
      matched += Number(isMatch)
      seen += 1
    }
    if (isLast) break
  }
  return scaled(matched, seen, total)
}

const scaled = (matched: number, seen: number, total: number): BlastRadius => ({
  affected: seen === 0 ? 0 : Math.round((matched / seen) * total),
  total,
})

/** Whether a person matches. A malformed row matches nothing. */
export function isMatchOf(matches: () => boolean): boolean {
  try {
    return matches()
  } catch (error) {
    if (error instanceof UnreadableProperties) return false
    throw error
  }
}
