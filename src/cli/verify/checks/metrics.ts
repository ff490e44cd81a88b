// Checks what only the operator sees, with METRICS_TOKEN.
import { type Check, type Context, until } from '../check'
import { ensure, Skip } from '../outcome'

const MAX_LATE_SECONDS = 600
const BEHIND_SECONDS = 100
/** The maximum age of the last backup, which the daily trigger writes. */
const MAX_BACKUP_AGE_SECONDS = 2 * 86_400

/** @throws Failure for a sample above the maximum */
async function requireAtMost({ metrics }: Context, names: readonly string[], max: number): Promise<void> {
  const { samples } = await metrics()
  for (const name of names)
    for (const { labels, value } of samples(name))
      ensure(value <= max, `${name}${labels} is ${Math.round(value)}, above ${max}`)
}

export const metricChecks: readonly Check[] = [
  {
    name: 'Every database reports its size',
    async check({ metrics }) {
      const databases = (await metrics()).samples('halyard_database_up')
      ensure(databases.length >= 2, `${databases.length} databases are reported`)
      for (const { labels, value } of databases)
        ensure(value === 1, `halyard_database_up${labels} is ${value}`)
      return `${databases.length} databases`
    },
    advice:
      'Compare METRICS_TOKEN with the secret of the Worker. `npx wrangler d1 info` shows whether a database answers.',
  },
  {
    name: 'Queues have no backlog of ten minutes',
    check: (context) =>
      requireAtMost(context, ['halyard_queue_oldest_message_age_seconds'], MAX_LATE_SECONDS),
    advice:
      '`npx wrangler queues list` shows the consumers; the guide Operations has what each queue waits for.',
  },
  {
    name: 'No work in the background is ten minutes late',
    check: (context) =>
      requireAtMost(
        context,
        [
          'halyard_materializations_due_age_seconds',
          'halyard_scheduled_changes_overdue_age_seconds',
          'halyard_webhook_deliveries_due_age_seconds',
        ],
        MAX_LATE_SECONDS,
      ),
    advice: 'Check [triggers] in wrangler.toml, and look for `trigger failed` in the log.',
  },
  {
    name: 'The flags in KV are those of the database',
    async check(context) {
      // KV accepts one write a second, and shows it after at most a minute, so that recent changes may not be visible yet.
      await until(context, BEHIND_SECONDS, 'halyard_snapshots_behind was not 0', async () => {
        const samples = (await context.metrics()).samples('halyard_snapshots_behind')
        ensure(samples.length === 1, `halyard_snapshots_behind has ${samples.length} values`)
        return samples[0]!.value === 0 ? true : null
      })
    },
    advice:
      'Look for `KV did not take a document` in the log. If flags are changed all the time, run again when they are not.',
  },
  {
    name: 'The last scheduled backup is from yesterday or today',
    async check(context) {
      const { samples } = await context.metrics()
      const [failed] = samples('halyard_backup_failed')
      if (!failed) throw new Skip('the Worker has no bucket BACKUPS, or it does not answer')
      ensure(failed.value === 0, 'the last scheduled backup failed')
      const [age] = samples('halyard_backup_age_seconds')
      ensure(age, 'no scheduled backup was finished yet')
      ensure(age.value <= MAX_BACKUP_AGE_SECONDS, `the last one is ${Math.round(age.value / 3600)} hours old`)
      return `${Math.round(age.value / 3600)} hours old`
    },
    advice:
      'The daily trigger at 03:17 UTC writes a backup: look for `trigger failed` in the log. `backup.error` of the state of the deployment has the reason of a failure.',
  },
]
