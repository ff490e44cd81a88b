// The Worker: wiring only.
import { createApp } from './app'

export { QueryGate } from './analytics/query-gate/query-gate'
export { ProjectObject } from './project/project-object'
export { ChangeStream } from './snapshots/change-stream'

const app = createApp()

export default {
  fetch: app.fetch,
  queue: async (batch, env, context) => (await import('./jobs/queues')).consume(batch, env, context),
  scheduled: async ({ cron }, env) => (await import('./jobs/scheduled')).onTrigger(cron, env),
} satisfies ExportedHandler<Env>
