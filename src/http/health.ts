// Whether the Worker answers (`/health`), and whether what it stands on does (`/ready`): for monitors, who need no key for either.
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Deps } from '../deps'
import { methodNotAllowed } from '../errors'
import type { AppEnv } from './app-env'
import { describeError } from './request-log'

/** How long each part has to answer. */
const DEADLINE_MS = 3_000

/** There is no such project: its object looks that up, and does nothing else. */
const NO_PROJECT = 0

type Part = 'database' | 'project_object' | 'snapshots'

/** Asks each part for something that costs next to nothing. */
const PROBES: Record<Part, (deps: Deps) => Promise<unknown>> = {
  database: ({ db }) => db.select({ one: sql`1`.as('one') }).from(sql`(SELECT 1)`),
  project_object: ({ projects, clock }) => projects.confirm(NO_PROJECT, clock.now()),
  snapshots: ({ env }) => env.SNAPSHOTS.get('ready'),
}

/** Routes of the probes. What fails is named in the answer; why, in the log. */
export function healthRoutes(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get('/health', (c) => {
    c.set('route', '/health')
    return c.json({ status: 'ok' })
  })
  router.get('/ready', async (c) => {
    c.set('route', '/ready')
    const deps = c.get('deps')
    const parts = await Promise.all(
      Object.entries(PROBES).map(async ([part, probe]) => ({ part, problem: await problemOf(probe(deps)) })),
    )
    const checks = Object.fromEntries(parts.map(({ part, problem }) => [part, problem ? 'failed' : 'ok']))
    const problems = parts.filter(({ problem }) => problem)
    if (problems.length === 0) return c.json({ status: 'ok', checks })
    c.error = new Error(problems.map(({ part, problem }) => `${part}: ${problem}`).join('\n'))
    return c.json({ status: 'failed', checks }, 503, { 'Retry-After': '5' })
  })
  for (const path of ['/health', '/ready']) {
    router.all(path, (c) => {
      c.set('route', path)
      throw methodNotAllowed(c.req.method, ['GET'])
    })
  }
  return router
}

/** Why a part does not answer, for the log; null when it does. */
async function problemOf(work: Promise<unknown>): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${DEADLINE_MS} ms`), DEADLINE_MS)
  })
  const ended = work.then(() => null, describeError)
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}
