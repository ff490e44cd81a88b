// The flags that this isolate wrote last, so that a usual write takes one round trip: it is planned on what is remembered, and its batch
// fails when that no longer holds. What a response shows beside the written columns is read in the same batch.
import { sql } from 'drizzle-orm'
import type { UserSummary } from '../../http/user-summary'
import { jsonBytes } from '../../json-bytes'
import { LruCache } from '../../lru-cache'
import { guard } from '../../storage/database'
import { prepareOnce } from '../../storage/prepare-once'
import { type References, referencesIn } from '../filters/analysis'
import type { FlagRow } from '../read/rows'
import { pick, TRACKED_FIELDS } from '../state'
import type { GroupFacts, WriteFacts } from './facts'
import type { FlagWrite } from './write-types'

/** Bytes of flags as JSON text: several times that in memory. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_PROJECTS = 10_000

/** By id of the flag. */
const rows = new LruCache<number, FlagRow>(MAX_BYTES)

/** Projects that had an enabled policy: their writes read it. */
const withPolicies = new LruCache<number, true>(MAX_PROJECTS)

/** The fields that are as remembered when the guards of an update hold. */
const GUARDED_FIELDS = TRACKED_FIELDS.filter((field) => field !== 'last_called_at')

/** The fields whose updates depend on nothing but the flag's row, apart from what guards check. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([...GUARDED_FIELDS, 'original_flag'])

/**
 * The facts of updates that depend on remembered rows alone, apart from what `guardRecalled` and the guards of their plans check.
 * @returns null when a write depends on more, or a row is not remembered.
 */
export function recallFacts(writes: readonly FlagWrite[]): GroupFacts | null {
  if (withPolicies.peek(writes[0]!.project.id)) return null
  const found = new Map<number, FlagRow>()
  const facts: WriteFacts[] = []
  for (const write of writes) {
    const row = write.kind === 'update' && rows.get(write.id)
    const references = referencesIn(write.body.filters)
    if (!row || row.project_id !== write.project.id || !isPlain(write, row, references)) return null
    found.set(row.id, row)
    facts.push(usualFacts(references, write.maxFlags))
  }
  return { rows: found, users: new Map(), facts }
}

const isPlain = (
  { body, run, approval }: FlagWrite,
  { key, deleted }: FlagRow,
  { flagIds, cohortIds }: References,
): boolean =>
  !run &&
  !approval &&
  flagIds.length + cohortIds.length === 0 &&
  Object.entries(body).every(([field, value]) => value === undefined || PLAIN_FIELDS.has(field)) &&
  (body.key ?? key) === key &&
  (body.deleted ?? deleted) === deleted

/** No policy; no flag that depends on others, or on which others depend. */
const usualFacts = (references: References, maxFlags: number): WriteFacts => ({
  holders: [],
  dashboards: [],
  targets: [],
  cohorts: [],
  counts: [],
  experiments: [],
  dependents: [],
  unmet: [],
  due: [],
  waiting: [],
  similar: [],
  references,
  liveFlags: 0,
  maxFlags,
  policies: [],
})

/** The statement that fails the batch when a policy is enabled, or one of the flags has an early access feature. @param ids JSON */
export const guardRecalled = prepareOnce<{ projectId: number; ids: string }, unknown>((db) =>
  guard(
    db,
    sql`NOT EXISTS (SELECT 1 FROM approval_policies p WHERE p.project_id = ${sql.placeholder('projectId')} AND p.enabled)
      AND NOT EXISTS (SELECT 1 FROM early_access_features f
        WHERE f.flag_id IN (SELECT value FROM json_each(${sql.placeholder('ids')})))`,
  ),
)

/** What an update writes of the row of a flag. */
const WRITTEN = [
  ...GUARDED_FIELDS,
  'rollout_state',
  'decided_variant',
  'created_at',
  'updated_at',
  'last_modified_by_id',
] as const

/**
 * A flag as its write left it.
 * @param planned from a remembered row.
 * @param stored read after the write, in its batch.
 * @param users summaries by id.
 */
export const confirmedRow = (
  planned: FlagRow,
  stored: FlagRow,
  users: ReadonlyMap<number, UserSummary | null>,
): FlagRow => ({
  ...stored,
  ...pick(planned, WRITTEN),
  last_modified_by:
    planned.last_modified_by_id === null ? null : (users.get(planned.last_modified_by_id) ?? null),
})

const isEmpty = (object: object) => Object.keys(object).length === 0

/** Remembers a flag as its write left it, if updates can be planned on that. */
export function rememberFlag(row: FlagRow): void {
  if (row.deleted || !isEmpty(row.features) || !isEmpty(row.cohort_names)) rows.delete(row.id)
  else rows.set(row.id, row, jsonBytes(row))
}

export function forgetFlags(ids: Iterable<number>): void {
  for (const id of ids) rows.delete(id)
}

/** Remembers whether the project has enabled policies. */
export function rememberPolicies(projectId: number, hasPolicies: boolean): void {
  if (hasPolicies) withPolicies.set(projectId, true, 1)
  else withPolicies.delete(projectId)
}
