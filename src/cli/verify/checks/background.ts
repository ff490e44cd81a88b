// Checks triggers and queues, which no request shows, by their effects.
import { type Check, until } from '../check'
import { ensure, Skip } from '../outcome'
import { describe } from '../service'
import type { Flag } from '../temporary-project'

/** The seconds in which the minute's trigger must have fired. */
const MINUTE_SECONDS = 110

export const backgroundChecks: readonly Check[] = [
  {
    name: "The minute's trigger runs: a scheduled change is made",
    async check(context) {
      const { createFlag, call } = await context.project()
      const { id, created_at: createdAt } = await createFlag('verify-scheduled')
      const change = await call<{ id: number }>('POST', 'scheduled_changes/', {
        record_id: String(id),
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: false },
        // The time is that of the service's clock.
        scheduled_at: new Date(Date.parse(createdAt) + 5_000).toISOString(),
      })
      const { took } = await until(context, MINUTE_SECONDS, 'the change was not made', async () => {
        const { executed_at: at, failure_reason: reason } = await call<{
          executed_at: string | null
          failure_reason: string | null
        }>('GET', `scheduled_changes/${change.id}/`)
        ensure(!reason, `the change failed: ${reason}`)
        return at
      })
      const { active } = await call<Flag>('GET', `feature_flags/${id}/`)
      ensure(!active, 'the change is marked as made, and the flag is enabled')
      return `after ${took}`
    },
    advice:
      'Keep `crons` under [triggers] in wrangler.toml (`* * * * *` and `17 3 * * *`), and deploy. The dashboard lists them under Workers → Settings → Triggers, with past runs; the log has `trigger failed`.',
  },
  {
    name: 'A webhook is delivered',
    async check(context) {
      const { service } = context
      const { id: projectId, call } = await context.project()
      const body = { url: `${service.url}/health`, events: ['Dashboard.created'] }
      const path = `/api/projects/${projectId}/webhooks/`
      const answer = await service.sendWithKey('POST', path, { body })
      const { id, attr } = answer.json<{ id: string; attr?: string }>()
      if (answer.status === 400 && attr === 'url') throw new Skip(`webhooks may not call ${service.url}`)
      ensure(answer.status === 201, describe(`POST ${path}`, answer))
      await call('POST', 'dashboards/', { name: 'halyard-verify' })
      // /health accepts no POST, but an attempt is enough, whatever its response.
      const { took } = await until(context, MINUTE_SECONDS, 'no delivery was tried', async () => {
        const { results } = await call<{ results: { attempts: number }[] }>(
          'GET',
          `webhooks/${id}/deliveries/`,
        )
        return results.some(({ attempts }) => attempts > 0) ? true : null
      })
      await call('DELETE', `webhooks/${id}/`)
      return `tried after ${took}`
    },
    advice:
      'The queue that ends in -webhooks delivers: `npx wrangler queues list` shows its consumer. The secret ACCOUNT_KEYS must be set; the log has `webhook deliveries failed`.',
  },
]
