// The Worker: wiring only.
import { createApp } from './app'
import { consume } from './jobs/queues'
import { onTrigger } from './jobs/scheduled'

export { QueryGate } from './analytics/query-gate/query-gate'
export { ProjectObject } from './project/project-object'

const app = createApp()

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(batch, env),
  scheduled: ({ cron }, env) => onTrigger(cron, env),
} satisfies ExportedHandler<Env>
