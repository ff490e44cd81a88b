// What comes on the Worker's queues, handed to whoever it is for.
import { consumeWarehouse } from './analytics/warehouse/consume'
import type { WarehouseMessage } from './analytics/warehouse/message'

/** Handles a batch of any of the queues that wrangler.toml names. @throws for one that it does not. */
export function consume(batch: MessageBatch, env: Env): Promise<void> {
  switch (batch.queue) {
    case 'halyard-warehouse':
      return consumeWarehouse(batch as MessageBatch<WarehouseMessage>, env)
    default:
      throw new Error(`a batch of a queue that nobody handles: ${batch.queue}`)
  }
}
