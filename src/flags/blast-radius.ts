// How many people, or groups, a condition set would reach, whatever its rollout (reference/flags-api.md §13). The evaluator itself is the
// judge, so that the number means what the flag will do.
import { selectCohortClosure } from '../analytics/cohorts'
import {
  countGroups,
  countPersons,
  mayBeMore,
  parseProperties,
  selectGroupsAfter,
  selectPersonsAfter,
  subjectFrom,
  UnreadableProperties,
} from '../analytics/subject'
import type { FlagContext } from './context'
import { selectTargets, targetsById } from './dependencies'
import { flagSetFrom, selectFlagClosure } from './definitions'
import { EvaluationBudget } from './evaluation/budget'
import { compile } from './evaluation/compile'
import type { CompiledFlagSet } from './evaluation/compiled'
import type { Subject } from './evaluation/context'
import { evaluate } from './evaluation/evaluate'
import { cohortIdsOf, type ConditionSet, dependencyIdsOf, type FlagFilters, rootsIn } from './filters/shape'
import { cohortsById } from './filters/cohorts'
import { validateFilters } from './filters/validate'
import { selectGeneration } from '../snapshots/generation'
import { totalIn } from '../storage/count'

const CHUNK = 1_000
/** Subjects that are evaluated, or fewer when the budget is spent. Their share is applied to all others. */
const SAMPLE = 20_000

/** The flag that asks the question. No stored flag has this id. */
const PROBE = { id: -1, key: 'blast-radius' }

export interface BlastRadius {
  affected: number
  total: number
}

/**
 * Counts whom `condition` matches: people, or the groups of a type.
 * @throws 400, attr `filters`, for a condition that no flag could have.
 */
export async function blastRadius(
  context: FlagContext,
  condition: Record<string, unknown>,
  groupTypeIndex: number | null,
): Promise<BlastRadius> {
  const probe = await readProbe(context, condition, groupTypeIndex)
  return groupTypeIndex === null
    ? reachOfPersons(context, probe)
    : reachOfGroups(context, probe, groupTypeIndex)
}

interface Probe {
  compiled: CompiledFlagSet
  /** The budget of the whole sample. */
  budget: EvaluationBudget
  matches(subject: Subject): boolean
}

async function readProbe(
  { deps, project }: FlagContext,
  condition: Record<string, unknown>,
  index: number | null,
): Promise<Probe> {
  const { db } = deps
  const sent = {
    groups: [{ ...condition, rollout_percentage: 100, variant: null, aggregation_group_type_index: index }],
  } satisfies { groups: ConditionSet[] }
  const roots = rootsIn(sent)
  const [targets, cohorts] = await db.batch([
    selectTargets(db, project.id, roots.flagIds),
    selectCohortClosure(db, project.id, roots.cohortIds),
  ])
  const filters: FlagFilters = validateFilters(sent, {
    self: { id: null, key: PROBE.key },
    stored: null,
    isRemoteConfiguration: false,
    linkedToEarlyAccess: false,
    targets: targetsById(targets),
    cohorts: cohortsById(cohorts),
  })
  const [[settings], flags, cohortRows, groupTypes] = await db.batch([
    selectGeneration(db, project.id),
    ...selectFlagClosure(db, project.id, {
      flagIds: dependencyIdsOf(filters),
      cohortIds: cohortIdsOf(filters),
    }),
  ])
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohortRows, groupTypes)
  const compiled = compile({ ...set, flags: [...set.flags, { ...PROBE, active: true, filters }] })
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

async function reachOfPersons(
  { deps: { db }, project }: FlagContext,
  { matches, budget }: Probe,
): Promise<BlastRadius> {
  const counts = await countPersons(db, project.id)
  let [seen, matched, after] = [0, 0, 0]
  while (seen < SAMPLE) {
    const people = await selectPersonsAfter(db, project.id, after, CHUNK)
    for (const person of people) {
      const isMatch = readable(() =>
        matches(subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' })),
      )
      if (budget.refusals > 0) return scaled(matched, seen, totalIn(counts))
      matched += Number(isMatch)
      seen += 1
    }
    after = people.at(-1)?.id ?? after
    if (!mayBeMore(people, CHUNK)) break
  }
  return scaled(matched, seen, totalIn(counts))
}

async function reachOfGroups(
  { deps: { db }, project }: FlagContext,
  probe: Probe,
  index: number,
): Promise<BlastRadius> {
  const type = probe.compiled.groupTypes.get(index)
  if (type === undefined) return { affected: 0, total: 0 }
  const counts = await countGroups(db, project.id, index)
  let [seen, matched, after] = [0, 0, '']
  while (seen < SAMPLE) {
    const rows = await selectGroupsAfter(db, project.id, index, after, CHUNK)
    for (const row of rows) {
      const isMatch = readable(() =>
        probe.matches({
          distinctId: '',
          personProperties: {},
          groups: { [type]: row.key },
          groupProperties: { [type]: { ...parseProperties(row.properties), $group_key: row.key } },
        }),
      )
      if (probe.budget.refusals > 0) return scaled(matched, seen, totalIn(counts))
      matched += Number(isMatch)
      seen += 1
    }
    after = rows.at(-1)?.key ?? after
    if (!mayBeMore(rows, CHUNK)) break
  }
  return scaled(matched, seen, totalIn(counts))
}

const scaled = (matched: number, seen: number, total: number): BlastRadius => ({
  affected: seen === 0 ? 0 : Math.round((matched / seen) * total),
  total,
})

/** A row that cannot be read matches nothing. */
function readable(matches: () => boolean): boolean {
  try {
    return matches()
  } catch (error) {
    if (error instanceof UnreadableProperties) return false
    throw error
  }
}
