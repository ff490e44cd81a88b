// Two callers in a fixed order: one writes between the other's read and write.
import { env } from 'cloudflare:workers'
import { replaceDatabase, withBatch } from '../../project/support'
import { createHarness } from '../harness'
import { createTenant, type Tenant } from '../tenant'

/**
 * Returns a tenant, and a function that runs `others` once: just before the next batch of the Worker or the project object with a statement
 * that starts with the given text.
 */
export async function createOvertaken(
  statement: string,
): Promise<{ tenant: Tenant; overtake(others: () => Promise<unknown>): void }> {
  let waiting: (() => Promise<unknown>) | null = null
  const intercepted = (real: D1Database) =>
    withBatch(real, async (texts, run) => {
      if (waiting && texts.some((text) => text.startsWith(statement))) {
        const others = waiting
        waiting = null
        await others()
      }
      return run()
    })
  const tenant = await createTenant({ harness: createHarness({ bindings: { DB: intercepted(env.DB) } }) })
  await replaceDatabase(tenant, intercepted)
  return {
    tenant,
    overtake(others) {
      waiting = others
    },
  }
}
