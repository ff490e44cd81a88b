// Sends due versions to the build queue, including those whose build died. Runs every minute.
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { turnOf } from '../../storage/turns'
import { toStoredTimestamp } from '../../timestamps'
import { COMPILER_VERSION } from '../compile/compiled-version'
import { sendBuilds } from './build/build-queue'

/** Maximum versions that are sent in a minute. */
const MAX_VERSIONS = 1_000

/** A version that was sent is not sent again for this long. */
const RESEND_MS = 5 * 60_000

/**
 * Makes versions due that another compiler compiled, or that were compiled for another time zone, because runs cannot read their rows. After
 * a deployment with a new compiler these are all versions. One whose build has failed since is left to its retries.
 */
export async function makeStaleDue(db: Database, now: Date): Promise<void> {
  const { nextBuildAt, plan, failures } = endpointMaterializations
  await db
    .update(endpointMaterializations)
    .set({ nextBuildAt: toStoredTimestamp(now) })
    .where(
      and(
        gt(nextBuildAt, toStoredTimestamp(now)),
        eq(failures, 0),
        isNotNull(plan),
        sql`(${plan} ->> '$.compiler' IS NOT ${COMPILER_VERSION} OR ${plan} ->> '$.timezone' IS NOT
          (SELECT p.timezone FROM projects p WHERE p.id = endpoint_materializations.project_id))`,
      ),
    )
}

/**
 * Makes all versions of a project due that have rows or write some. A build that began before `now` is followed by another one. Overdue
 * versions keep their place in the queue.
 */
export async function makeProjectDue(db: Database, projectId: number, now: Date): Promise<void> {
  const { endpointId, nextBuildAt, generation, building } = endpointMaterializations
  const at = toStoredTimestamp(now)
  await db
    .update(endpointMaterializations)
    .set({ nextBuildAt: at })
    .where(
      and(
        inArray(
          endpointId,
          db.select({ id: endpoints.id }).from(endpoints).where(eq(endpoints.projectId, projectId)),
        ),
        or(isNotNull(building), and(isNotNull(generation), or(isNull(nextBuildAt), gt(nextBuildAt, at)))),
      ),
    )
}

/** Sends due versions of all organizations in turns, the most overdue first. Returns the number of versions. */
export async function sendDue(
  { db, env }: { db: Database; env: Pick<Env, 'BUILDS'> },
  now: Date,
): Promise<number> {
  const { versionId, projectId, nextBuildAt, buildUntil } = endpointMaterializations
  const at = toStoredTimestamp(now)
  const due = db
    .select({ versionId })
    .from(endpointMaterializations)
    // A build that is alive renews its lease, and is not found here.
    .where(and(lte(nextBuildAt, at), or(isNull(buildUntil), lte(buildUntil, at))))
    .orderBy(turnOf(projectId, nextBuildAt), asc(nextBuildAt))
    .limit(MAX_VERSIONS)
  const sent = await db
    .update(endpointMaterializations)
    // The consumer that gets the message takes the lease.
    .set({ buildToken: null, buildUntil: toStoredTimestamp(new Date(now.getTime() + RESEND_MS)) })
    .where(inArray(versionId, due))
    .returning({ projectId, versionId })
  await sendBuilds(env, sent)
  return sent.length
}
