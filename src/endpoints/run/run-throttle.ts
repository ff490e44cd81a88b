// How often a key may run saved queries (reference/endpoints-api.md §9): 240 times a minute and 2,400 times an hour; five times as often where
// materialized rows answer, which counts by itself. Sessions may run as they like.
//
// The minute is counted by the platform, each of its places by itself. The hour is counted in D1, in fixed windows: the count is read along
// with the endpoint and written after the response, so that it costs no round trip, and runs that come at the same moment may each be let in
// by the same count.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { throttleWindows } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addCall, secondsLeft, type Throttle, throttled } from '../../http/throttle'

const MINUTE_SECONDS = 60

/** What a run counts as: by what answers it. */
export type Budget = 'inline' | 'materialized'

/** How often a key may run in an hour. */
export const HOURS: Readonly<Record<Budget, Throttle>> = {
  inline: { name: 'endpoint_run', calls: 2_400, seconds: 3_600 },
  materialized: { name: 'endpoint_run_materialized', calls: 12_000, seconds: 3_600 },
}

const minuteOf = (env: Env, budget: Budget): RateLimit => {
  switch (budget) {
    case 'inline':
      return env.RUN_RATE
    case 'materialized':
      return env.MATERIALIZED_RUN_RATE
  }
}

/** What was counted for a key. */
export interface RunWindow {
  name: string
  count: number
  startedAt: string
}

/** Whom runs are counted for; null where nobody counts. */
const subjectOf = ({ THROTTLES }: Env, actor: Actor): string | null =>
  THROTTLES === 'on' && actor.kind === 'apiKey' ? actor.keyId : null

/** The statement that reads how often the caller's key ran something; without rows where that is not counted. */
export const selectRunsOfKey = ({ db, env }: Pick<Deps, 'db' | 'env'>, actor: Actor) =>
  db
    .select({
      name: throttleWindows.name,
      count: throttleWindows.count,
      startedAt: throttleWindows.startedAt,
    })
    .from(throttleWindows)
    .where(
      and(
        inArray(
          throttleWindows.name,
          Object.values(HOURS).map(({ name }) => name),
        ),
        eq(throttleWindows.subject, sql`${subjectOf(env, actor) ?? ''}`),
      ),
    )

/**
 * Lets a run pass, or not.
 * @throws 429 with when to come back.
 */
export async function requireRunAllowed(
  { env, clock }: Pick<Deps, 'env' | 'clock'>,
  actor: Actor,
  budget: Budget,
  windows: readonly RunWindow[],
): Promise<void> {
  const subject = subjectOf(env, actor)
  if (subject === null) return
  const now = clock.now()
  const { name, calls, seconds } = HOURS[budget]
  const runs = windows.find((window) => window.name === name)
  if (runs && runs.count >= calls && Date.parse(runs.startedAt) + seconds * 1000 > now.getTime()) {
    throw throttled(secondsLeft(runs.startedAt, seconds, now))
  }
  const { success } = await minuteOf(env, budget).limit({ key: subject })
  if (!success) throw throttled(MINUTE_SECONDS)
}

/** The statements that count a run. */
export function countRun(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  actor: Actor,
  budget: Budget,
  now: Date,
): BatchItem<'sqlite'>[] {
  const subject = subjectOf(env, actor)
  return subject === null ? [] : [addCall(db, HOURS[budget], subject, now)]
}
