// Selects flags in SQL by the filters of the list.
import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { experiments, featureFlags, flagEvaluationContexts, flagTags } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { isAmong } from '../../storage/id-predicates'
import { toStoredTimestamp } from '../../timestamps'
import type { Selection } from './parse-selection'
import { searchFor } from './name-search'
import { STALE_AFTER_DAYS } from './status'

/** Returns the SQL condition on flags of a project that are not deleted. */
export function conditionFor(db: Database, projectId: number, selection: Selection, now: Date): SQL {
  const { active, archived, createdBy, evaluationRuntime, excludedKeys } = selection
  const { excludedTags, hasContexts, search, tags, type } = selection
  return and(
    // Because of the unary plus, SQLite does not walk all flags of the project. Those with a tag are few.
    tags ? sql`+${featureFlags.projectId} = ${projectId}` : eq(featureFlags.projectId, projectId),
    eq(featureFlags.deleted, false),
    eq(featureFlags.archived, archived),
    active === undefined ? undefined : activeIs(active, now),
    createdBy && isAmong(createdBy, featureFlags.createdById),
    evaluationRuntime && eq(featureFlags.evaluationRuntime, evaluationRuntime),
    excludedKeys && sql`NOT ${isAmong(excludedKeys, featureFlags.key)}`,
    tags && inArray(featureFlags.id, taggedIds(db, projectId, tags)),
    excludedTags && notInArray(featureFlags.id, taggedIds(db, projectId, excludedTags)),
    hasContexts === undefined ? undefined : (hasContexts ? exists : notExists)(contextsOf(db)),
    search === undefined ? undefined : mentions(db, projectId, search),
    type && isOfType(db, projectId, type),
  )!
}

function activeIs(value: NonNullable<Selection['active']>, now: Date): SQL | undefined {
  if (value !== 'STALE') return eq(featureFlags.active, value)
  const cutoff = toStoredTimestamp(new Date(now.getTime() - STALE_AFTER_DAYS * 86_400_000))
  return and(
    eq(featureFlags.active, true),
    or(
      lt(featureFlags.lastCalledAt, cutoff),
      and(
        isNull(featureFlags.lastCalledAt),
        lt(featureFlags.createdAt, cutoff),
        eq(featureFlags.fullyRolledOut, true),
      ),
    ),
  )
}

// The project's tags are scanned once for all flags. Per flag, SQLite would read every flag with the tag each time.
const taggedIds = (db: Database, projectId: number, names: string[]) =>
  db
    .select({ id: flagTags.flagId })
    .from(flagTags)
    .where(and(eq(flagTags.projectId, projectId), isAmong(names, flagTags.name)))

const contextsOf = (db: Database) =>
  db
    .select({ one: sql`1` })
    .from(flagEvaluationContexts)
    .where(eq(flagEvaluationContexts.flagId, featureFlags.id))

/** SQL condition: the flag, or an experiment of it, holds the term. */
function mentions(db: Database, projectId: number, term: string): SQL | undefined {
  const holdsTerm = searchFor(term)
  const tested = db
    .select({ id: experiments.flagId })
    .from(experiments)
    .where(
      and(
        eq(experiments.projectId, projectId),
        eq(experiments.deleted, false),
        holdsTerm('experiments.search_name'),
      ),
    )
  return or(holdsTerm('feature_flags.search_text'), inArray(featureFlags.id, tested))
}

function isOfType(db: Database, projectId: number, type: NonNullable<Selection['type']>): SQL {
  switch (type) {
    case 'boolean':
      return eq(featureFlags.variantCount, 0)
    case 'multivariant':
      return gt(featureFlags.variantCount, 0)
    case 'remote_config':
      return eq(featureFlags.isRemoteConfiguration, true)
    case 'experiment':
      return inArray(
        featureFlags.id,
        db.select({ id: experiments.flagId }).from(experiments).where(eq(experiments.projectId, projectId)),
      )
  }
}
