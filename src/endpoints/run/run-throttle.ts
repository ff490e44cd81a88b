// Limits the runs of a key, as upstream: 240 a minute and 2,400 an hour; five times as many of materialized rows, counted apart. Sessions are
// not limited.
// The platform counts the minute, per location. D1 counts the hour, in fixed windows: read along with the endpoint and written after the
// response, so that it costs no round trip. Concurrent runs may all pass by the same count.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { throttleWindows } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { addCall, secondsLeft, type Throttle, throttled } from '../../http/limits/throttle'

const MINUTE_SECONDS = 60

export type RunRate = 'inline' | 'materialized'

export const HOURS: Readonly<Record<RunRate, Throttle>> = {
  inline: { name: 'endpoint_run', calls: 2_400, seconds: 3_600 },
  materialized: { name: 'endpoint_run_materialized', calls: 12_000, seconds: 3_600 },
}

const minuteOf = (env: Env, budget: RunRate): RateLimit => {
  switch (budget) {
    case 'inline':
      return env.RUN_RATE
    case 'materialized':
      return env.MATERIALIZED_RUN_RATE
  }
}

export interface RunWindow {
  name: string
  count: number
  startedAt: string
}

/** Null: not counted. */
const subjectOf = ({ THROTTLES }: Env, actor: Actor): string | null =>
  THROTTLES === 'on' && actor.kind === 'apiKey' ? actor.keyId : null

/** No rows where runs are not counted. */
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

/** @throws 429 with Retry-After */
export async function requireRunAllowed(
  { env, clock }: Pick<Deps, 'env' | 'clock'>,
  actor: Actor,
  budget: RunRate,
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

export function countRun(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  actor: Actor,
  budget: RunRate,
  now: Date,
): BatchItem<'sqlite'>[] {
  const subject = subjectOf(env, actor)
  return subject === null ? [] : [addCall(db, HOURS[budget], subject, now)]
}
