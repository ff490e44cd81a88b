// Runs searches that SQL cannot decide: SQL selects candidates, and the Worker matches their text.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { experiments, featureFlags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import type { Search } from './name-search'

type CandidateSearch = Extract<Search, { kind: 'candidates' }>

/** Maximum candidates of one round trip, which are some megabytes of text at most. */
const CANDIDATES_AT_ONCE = 500

/** Selects the flags with an experiment that `condition` picks. */
export const selectTestedFlags = (db: Database, projectId: number, condition: SQL) =>
  db
    .select({ id: experiments.flagId })
    .from(experiments)
    .where(and(eq(experiments.projectId, projectId), eq(experiments.deleted, false), condition))

/**
 * Returns the ids of the flags of a project that a search finds, by their own text or by that of an experiment. It takes one round trip
 * for every CANDIDATES_AT_ONCE candidates.
 */
export async function findMatchingIds(
  db: Database,
  projectId: number,
  search: CandidateSearch,
): Promise<number[]> {
  const found = new Set<number>()
  for (let [flag, experiment] = [0, 0]; ;) {
    const [flags, tests] = await db.batch([
      db
        .select({ id: featureFlags.id, text: featureFlags.searchText })
        .from(featureFlags)
        .where(
          and(
            eq(featureFlags.projectId, projectId),
            eq(featureFlags.deleted, false),
            gt(featureFlags.id, flag),
            search.mayHold('feature_flags.search_text'),
          ),
        )
        .orderBy(featureFlags.id)
        .limit(CANDIDATES_AT_ONCE),
      db
        .select({
          id: sql<number>`${experiments.id}`.as('id'),
          flagId: experiments.flagId,
          text: experiments.searchName,
        })
        .from(experiments)
        .where(
          and(
            eq(experiments.projectId, projectId),
            eq(experiments.deleted, false),
            gt(experiments.id, experiment),
            search.mayHold('experiments.search_name'),
          ),
        )
        .orderBy(experiments.id)
        .limit(CANDIDATES_AT_ONCE),
    ])
    for (const { id, text } of flags) if (search.holds(text)) found.add(id)
    for (const { flagId, text } of tests) if (search.holds(text)) found.add(flagId)
    if (flags.length < CANDIDATES_AT_ONCE && tests.length < CANDIDATES_AT_ONCE) return [...found]
    flag = flags.at(-1)?.id ?? flag
    experiment = tests.at(-1)?.id ?? experiment
  }
}
