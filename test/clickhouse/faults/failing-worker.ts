// A Worker whose calls fail by chance: of D1 and the queue before or after they take effect, and all that follow once it has died.
import { env } from 'cloudflare:workers'
import { interceptedD1 } from '../../support/faults/intercepted-d1'
import type { Random } from './random'

/** Of one call. */
const FAILS_BEFORE = 0.03
const FAILS_AFTER = 0.03
const DIES_AFTER = 0.02

export interface FailingWorker {
  bindings: Pick<Env, 'DB' | 'EVENTS' | 'INGESTION'>
  /** Whether calls fail. */
  isFailing: boolean
  /** Does work in a Worker that lives. @returns its result, and whether the Worker died in it: then nobody saw the result. */
  run<T>(work: () => Promise<T>): Promise<{ result: T; hasDied: boolean }>
  /** Calls that failed, by kind. */
  readonly failures: Readonly<Record<string, number>>
}

export function createFailingWorker(random: Random, queue: Queue<string>): FailingWorker {
  const failures: Record<string, number> = {}
  let hasDied = false

  async function pass<T>(name: string, run: () => Promise<T>): Promise<T> {
    const chance = worker.isFailing ? random.next() : 1
    if (!hasDied && chance >= FAILS_BEFORE + FAILS_AFTER + DIES_AFTER) return run()
    const isBefore = hasDied || chance < FAILS_BEFORE
    if (!isBefore) await run()
    if (!hasDied) {
      const kind = `${name} ${isBefore ? 'before' : 'after'}`
      failures[kind] = (failures[kind] ?? 0) + 1
    }
    hasDied ||= chance >= FAILS_BEFORE + FAILS_AFTER
    throw new Error('D1_ERROR: Network connection lost.')
  }

  const worker: FailingWorker = {
    isFailing: true,
    failures,
    bindings: {
      DB: interceptedD1(env.DB, ({ run }) => pass('DB', run)),
      EVENTS: interceptedD1(env.EVENTS, ({ run }) => pass('EVENTS', run)),
      INGESTION: {
        sendBatch: (messages: Iterable<MessageSendRequest<string>>) =>
          pass('INGESTION', () => queue.sendBatch(messages)),
      } as unknown as Env['INGESTION'],
    },
    async run(work) {
      hasDied = false
      try {
        const result = await work()
        return { result, hasDied }
      } finally {
        hasDied = false
      }
    },
  }
  return worker
}
