// The work of every minute: what is due, and what was lost.
import { makeStaleDue, sendDue } from '../endpoints/materialization/send-due-builds'
import { dropUnusedTables, MAX_DROPS } from '../endpoints/materialization/unused-tables'
import { wakeUsed } from '../endpoints/materialization/hibernate'
import { createProjectObjects } from '../project/project-client'
import { KEYRING_SECRETS } from '../storage/encrypted-columns'
import { createMeter } from '../storage/metered-d1'
import { openShard, STATEMENT_DEADLINE_MS } from '../storage/shards'
import { sendDueDeliveries } from '../webhooks/delivery-queue'
import { backUp, type Job, queryOf } from './job'
import { performDueTasks } from './outbox-tasks'

export async function runEveryMinute(job: Job): Promise<void> {
  const { env, db, meter, now, shards, log, step } = job
  // An object that does not respond must not delay the work of others.
  const changes = step('scheduled changes', () => runChanges(job))
  await step('wake materializations', () => wakeUsed(db, now))
  await step('rebuild outdated materializations', () => makeStaleDue(db, now))
  await step('send due builds', () => sendDue({ db, env }, now))
  await step('send due webhooks', () => sendDueDeliveries({ db, env }, now))
  await step('outbox', () => performDueTasks({ db, env, meter }, now, log))
  await Promise.all(
    shards.map((shard) =>
      step(`drop tables of ${shard}`, () => {
        const { d1 } = openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS)
        return dropUnusedTables(db, d1, Math.ceil(MAX_DROPS / shards.length))
      }),
    ),
  )
  await reencrypt(job)
  await step('backup', () => backUp(job, false))
  await changes
}

async function runChanges({ env, db, meter, now }: Job): Promise<void> {
  const { runAllDue } = await import('../flags/scheduled/run-changes')
  return runAllDue(db, createProjectObjects(env.PROJECTS, meter), now)
}

/** Continues the rotation of a secret. Secrets take turns, because one may use up the statements. */
async function reencrypt({ env, now, step }: Job): Promise<void> {
  const rotating = KEYRING_SECRETS.filter((secret) => env[`${secret}_NEXT`])
  const secret = rotating[now.getUTCMinutes() % rotating.length]
  if (!secret) return
  const { continueRotation } = await import('../storage/reencrypt')
  await step(`re-encrypt for ${secret}`, () => continueRotation(env, queryOf(env.DB), secret))
}
