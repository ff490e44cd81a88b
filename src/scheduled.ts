// What the triggers of wrangler.toml do.
import { createIds, systemClock } from './clock'
import { hibernateUnused } from './endpoints/materialization/hibernate'
import { makeOutdatedDue, sendDue } from './endpoints/materialization/refresh'
import { consoleLog } from './http/request-log'
import { openDatabase } from './storage/database'
import { createMeter } from './storage/metered-d1'
import { tellSizes } from './storage/statistics'

/** Once a day; every other trigger is the minute's. */
const DAILY = '17 3 * * *'

/** Does what a trigger is for. */
export async function onTrigger(cron: string, env: Env): Promise<void> {
  const db = openDatabase(env.DB, createMeter())
  const now = systemClock.now()
  if (cron !== DAILY) {
    await sendDue({ db, env }, now)
    return
  }
  try {
    await hibernateUnused({ db, ids: createIds(), log: consoleLog }, now)
    await makeOutdatedDue(db, now)
  } finally {
    await tellSizes(env.DB)
  }
}
