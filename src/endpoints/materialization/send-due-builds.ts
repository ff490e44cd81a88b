// What the minute's trigger does: it sends versions that are due to the queue of builds, those whose build died among them.
import { and, asc, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import { COMPILER_VERSION } from '../compile/compiled-version'
import { sendBuilds } from './build/build-queue'

/** Versions that one minute sends; the others follow in the next. */
const MOST = 1_000

/** How long a version that was sent is left to the queue: one that is behind is not helped by more of the same. */
const PATIENCE_MS = 5 * 60_000

/**
 * Makes versions due whose rows an older compiler planned: no run is answered from those. They are as many as were built before the
 * deployment that brought another compiler.
 */
export async function makeOutdatedDue(db: Database, now: Date): Promise<void> {
  const { nextBuildAt, plan } = endpointMaterializations
  await db
    .update(endpointMaterializations)
    .set({ nextBuildAt: stored(now) })
    .where(and(gt(nextBuildAt, stored(now)), sql`${plan} ->> '$.compiler' IS NOT ${COMPILER_VERSION}`))
}

/** Sends what is due, the longest first. Returns how many versions that were. */
export async function sendDue(
  { db, env }: { db: Database; env: Pick<Env, 'BUILDS'> },
  now: Date,
): Promise<number> {
  const { versionId, projectId, nextBuildAt, buildUntil } = endpointMaterializations
  const at = stored(now)
  const due = db
    .select({ versionId })
    .from(endpointMaterializations)
    // A build that goes on says so from time to time.
    .where(and(lte(nextBuildAt, at), or(isNull(buildUntil), lte(buildUntil, at))))
    .orderBy(asc(nextBuildAt))
    .limit(MOST)
  const sent = await db
    .update(endpointMaterializations)
    .set({ buildUntil: stored(new Date(now.getTime() + PATIENCE_MS)) })
    .where(inArray(versionId, due))
    .returning({ projectId, versionId })
  await sendBuilds(env, sent)
  return sent.length
}
