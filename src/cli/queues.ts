// The queues that wrangler.toml names, which a deployment finds there or fails.
import { unstable_readConfig as readConfig } from 'wrangler'
import { runWrangler } from './wrangler'

interface Configured {
  queues: { producers?: { queue: string }[]; consumers?: { queue: string; dead_letter_queue?: string }[] }
}

/** Makes the queues that are missing. */
export async function ensureQueues(): Promise<void> {
  const { queues } = readConfig({ config: 'wrangler.toml' }, { hideWarnings: true }) as Configured
  const names = new Set([
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [
      queue,
      ...(dead ? [dead] : []),
    ]),
  ])
  for (const name of names) {
    await runWrangler(['queues', 'create', name]).catch((error: Error) => {
      if (!/already (taken|exists)/i.test(error.message)) throw error
    })
  }
}
