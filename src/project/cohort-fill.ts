// Filling static cohorts: chunk by chunk through the project's people, with the place kept in the object's storage, so that the work goes on
// where it was when the object dies.
import { eq, sql } from 'drizzle-orm'
import { cohortMembers, cohorts } from '../../drizzle'
import { selectPersonsAfter, subjectFrom, UnreadableProperties } from '../analytics/subject'
import { flagSetFrom, selectFlagClosure } from '../flags/definitions'
import { compile } from '../flags/evaluation/compile'
import type { CompiledFlagSet } from '../flags/evaluation/compiled'
import { evaluate } from '../flags/evaluation/evaluate'
import { selectGeneration } from '../snapshots/generation'
import type { Database } from '../storage/database'
import type { WarehouseRows } from '../analytics/warehouse/message'
import { movesIn, selectMoves } from '../analytics/warehouse/moves'
import { memberRow } from '../analytics/warehouse/rows'
import { stored } from '../timestamps'

/** People a chunk: one read and one write. */
const CHUNK = 500
/** Chunks before the object turns to whatever else waits. */
const CHUNKS_AT_ONCE = 20

const PREFIX = 'cohort-fill:'

export interface CohortFillRequest {
  projectId: number
  cohortId: number
  flagId: number
  /** ISO 8601: the moment of the request. Everybody is evaluated at this moment. */
  now: string
}

interface Fill extends CohortFillRequest {
  /** Id of the last person that was looked at. */
  after: number
}

export class CohortFills {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Takes the work on. From here on it will be done. */
  async add(request: CohortFillRequest): Promise<void> {
    await this.#storage.put<Fill>(PREFIX + request.cohortId, { ...request, after: 0 })
  }

  /** Whether there is work left. */
  async isPending(): Promise<boolean> {
    return (await this.#storage.list({ prefix: PREFIX, limit: 1 })).size > 0
  }

  /**
   * Does some of the work that is left.
   * @param mirror takes new members to where they are kept as well.
   */
  async proceed(db: Database, mirror: Mirror | null): Promise<void> {
    const [entry] = await this.#storage.list<Fill>({ prefix: PREFIX, limit: 1 })
    if (!entry) return
    const [key, fill] = entry
    const flags = await readFlag(db, fill)
    for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk += 1) {
      const last = await fillChunk(db, fill, flags, mirror)
      if (last === null) {
        await finish(db, fill)
        await this.#storage.delete(key)
        break
      }
      // Written after the members: a chunk that is repeated adds nobody twice.
      fill.after = last
      await this.#storage.put<Fill>(key, fill)
    }
  }
}

/** Takes rows to ClickHouse. */
export type Mirror = (rows: WarehouseRows) => Promise<void>

interface Flags {
  compiled: CompiledFlagSet
  /** Null: the flag is gone, and on for nobody. */
  key: string | null
  timezone: string
}

async function readFlag(db: Database, { projectId, flagId }: Fill): Promise<Flags> {
  const [[project], flags, cohortRows, groupTypes] = await db.batch([
    selectGeneration(db, projectId),
    ...selectFlagClosure(db, projectId, { flagIds: [flagId] }),
  ])
  return {
    compiled: compile(flagSetFrom(project?.matchingVersion ?? 1, flags, cohortRows, groupTypes)),
    key: flags.find(({ id }) => id === flagId)?.key ?? null,
    timezone: project?.timezone ?? 'UTC',
  }
}

/**
 * Adds those of the next people for whom the flag is on.
 * @returns the id of the last one looked at; null when there were none, or when the cohort is gone: then nobody is added.
 */
async function fillChunk(
  db: Database,
  fill: Fill,
  flags: Flags,
  mirror: Mirror | null,
): Promise<number | null> {
  const people = flags.key === null ? [] : await selectPersonsAfter(db, fill.projectId, fill.after, CHUNK)
  const members = people.filter((person) => isOn(flags, person, Date.parse(fill.now)))
  if (members.length > 0) {
    const ids = JSON.stringify(members.map(({ id }) => id))
    const [[cohort], , moves] = await db.batch([
      db.select({ id: cohorts.id }).from(cohorts).where(eq(cohorts.id, fill.cohortId)),
      db
        .insert(cohortMembers)
        .select(
          sql`SELECT c.id, value FROM json_each(${ids}) CROSS JOIN cohorts c WHERE c.id = ${fill.cohortId}`,
        )
        .onConflictDoNothing(),
      selectMoves(db, []),
    ])
    // It goes when whoever asked for it was not told that the work is taken on.
    if (!cohort) return null
    const { at } = movesIn(moves)
    await mirror?.({ cohort_people: members.map(({ uuid }) => memberRow(fill, uuid, at)) })
  }
  return people.at(-1)?.id ?? null
}

function isOn(
  { compiled, key, timezone }: Flags,
  person: Parameters<typeof subjectFrom>[0] & object,
  now: number,
): boolean {
  try {
    const subject = subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' })
    const { flags } = evaluate(compiled, subject, { now, timezone, flagKeys: [key!], includeEncrypted: true })
    return flags.get(key!)?.enabled ?? false
  } catch (error) {
    // One row that cannot be read must not keep everybody else out.
    if (error instanceof UnreadableProperties) return false
    throw error
  }
}

const finish = (db: Database, { cohortId, now }: Fill) =>
  db
    .update(cohorts)
    .set({
      isCalculating: false,
      lastCalculation: stored(new Date(now)),
      count: sql`(SELECT count(*) FROM cohort_members m WHERE m.cohort_id = cohorts.id)`,
    })
    .where(eq(cohorts.id, cohortId))
