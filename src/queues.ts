// What comes on the Worker's queues, handed to whoever it is for.
import type { WarehouseMessage } from './analytics/warehouse/message'
import type { BuildMessage } from './endpoints/materialization/build/message'

/** Handles a batch of any of the queues that wrangler.toml names. @throws for one that it does not. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  switch (batch.queue) {
    case 'halyard-warehouse': {
      const { consumeWarehouse } = await import('./analytics/warehouse/consume')
      return consumeWarehouse(batch as MessageBatch<WarehouseMessage>, env)
    }
    case 'halyard-builds': {
      // The compiler is large: an isolate that builds nothing does without it.
      const { consumeBuilds } = await import('./endpoints/materialization/build/consume')
      return consumeBuilds(batch as MessageBatch<BuildMessage>, env)
    }
    default:
      throw new Error(`a batch of a queue that nobody handles: ${batch.queue}`)
  }
}
