// Finds the conditions of a deployment that need an operator. The function is pure.
import type { InstanceStatus } from '../api/instance-status'

/** The delay after which due work is late. The trigger that does it fires every minute. */
const LATE_MS = 5 * 60_000

/** The age at which the last backup is too old. A backup is written every day. */
const OLD_BACKUP_MS = 2 * 86_400_000

export function bytesWords(bytes: number): string {
  const [size, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`
}

export const errorRateWords = ({ total, errors }: InstanceStatus['requests']): string =>
  `${(total === 0 ? 0 : (100 * errors) / total).toLocaleString('en', { maximumFractionDigits: 2 })}%`

/** Returns sentences, the most urgent first. There are none when the deployment is healthy. */
export function concernsOf(status: InstanceStatus): string[] {
  const now = Date.parse(status.time)
  const isLate = (at: string | null) => at !== null && now - Date.parse(at) > LATE_MS
  const { outbox, materializations: builds, automation } = status
  const waiting = status.databases.filter(({ bytes }) => bytes === null)
  return [
    ...waiting.map(({ name }) => `${name} did not respond within 3 seconds.`),
    ...status.databases.flatMap(({ warning }) => warning ?? []),
    ...(outbox.due > 0 && isLate(outbox.oldest_created_at)
      ? [
          `${outbox.due.toLocaleString('en')} tasks of the outbox wait for a shard, a queue or a project object.`,
        ]
      : []),
    ...status.queues.flatMap(({ name, messages, oldest_at: at }) =>
      isLate(at)
        ? [`${messages!.toLocaleString('en')} messages of ${name} wait for more than five minutes.`]
        : [],
    ),
    ...(isLate(builds.due_since)
      ? [`${builds.due.toLocaleString('en')} builds of materialized rows are late.`]
      : []),
    ...(isLate(automation.scheduled_changes_overdue_since)
      ? [`${automation.scheduled_changes_overdue.toLocaleString('en')} scheduled changes are late.`]
      : []),
    ...(isLate(automation.deliveries_due_since)
      ? [
          `${automation.deliveries.toLocaleString('en')} deliveries of webhooks wait, some for more than five minutes.`,
        ]
      : []),
    ...(builds.failed > 0
      ? [`The last build of ${builds.failed.toLocaleString('en')} materializations failed.`]
      : []),
    ...(status.backup?.error ? [`The backup does not go on: ${status.backup.error}`] : []),
    ...(status.backup?.finished_at && now - Date.parse(status.backup.finished_at) > OLD_BACKUP_MS
      ? ['The last backup is older than two days.']
      : []),
  ]
}
