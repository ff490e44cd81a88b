// The Worker: wiring only.
import { createApp } from './app'
import { consume } from './queues'
import { renewStatistics } from './storage/statistics'

export { ProjectObject } from './project/project-object'

const app = createApp()

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled(_controller, { DB }) {
    await renewStatistics(DB)
  },
} satisfies ExportedHandler<Env>
