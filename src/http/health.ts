// Whether the Worker answers (`/health`), and whether what it stands on does (`/ready`): for monitors, who need no key for either.
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Deps } from '../deps'
import type { AppEnv } from './app-env'

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

/** Routes of the probes. What fails is named, and not why: that is for the log. */
export function healthRoutes(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get('/health', (c) => {
    c.set('route', '/health')
    return c.json({ status: 'ok' })
  })
  router.get('/ready', async (c) => {
    c.set('route', '/ready')
    const deps = c.get('deps')
    const parts = Object.entries(PROBES).map(
      async ([part, probe]) => [part, (await answers(probe(deps))) ? 'ok' : 'failed'] as const,
    )
    const checks = Object.fromEntries(await Promise.all(parts))
    if (Object.values(checks).every((state) => state === 'ok')) return c.json({ status: 'ok', checks })
    return c.json({ status: 'failed', checks }, 503, { 'Retry-After': '5' })
  })
  return router
}

async function answers(work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DEADLINE_MS)
  })
  const answered = work.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
