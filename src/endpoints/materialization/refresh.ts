// What the minute's trigger does: it sends versions that are due to the queue of builds, those whose build died among them.
import { and, asc, isNull, lte, or } from 'drizzle-orm'
import { endpointMaterializations } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import { sendBuilds } from './build/message'

/** Versions that one minute sends; the others follow in the next. */
const MOST = 1_000

/** Sends what is due, the longest first. Returns how many versions that were. */
export async function sendDue(
  { db, env }: { db: Database; env: Pick<Env, 'BUILDS'> },
  now: Date,
): Promise<number> {
  const at = stored(now)
  const due = await db
    .select({
      projectId: endpointMaterializations.projectId,
      versionId: endpointMaterializations.versionId,
    })
    .from(endpointMaterializations)
    .where(
      and(
        lte(endpointMaterializations.nextBuildAt, at),
        // A build that goes on says so from time to time.
        or(isNull(endpointMaterializations.buildUntil), lte(endpointMaterializations.buildUntil, at)),
      ),
    )
    .orderBy(asc(endpointMaterializations.nextBuildAt))
    .limit(MOST)
  await sendBuilds(env, due)
  return due.length
}
