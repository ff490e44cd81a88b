// A stream of server-sent events that notify a client of changes of a project's definitions, without the definitions.
import { settleWithin } from '../deadline'
import type { Deps } from '../deps'
import { listen, parseStreamMessage, type StreamMessage } from '../snapshots/change-stream-client'
import type { SdkProject } from '../snapshots/document'
import { createStreamCapacity } from './stream-capacity'

/** Maximum streams of one isolate. */
export const MAX_STREAMS_PER_ISOLATE = 2_000

/** Maximum changes that one stream reports. Each takes some of the subrequests of an invocation. */
export const MAX_EVENTS = 100

const HEARTBEAT_MS = 25_000

/**
 * Bounds of the random time after which a client reconnects. When many streams end together, such as at a deployment, their clients do
 * not return together.
 */
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 4_000

/** The time in which this location loads the generation before the client is notified. */
const CURRENT_DEADLINE_MS = 1_000

const capacity = createStreamCapacity(MAX_STREAMS_PER_ISOLATE)

type StreamDeps = Pick<Deps, 'env' | 'snapshots'>

/**
 * @param network of the client; null when it is unknown
 * @param known the generation that the client has; null for a new client
 * @param seconds after which the stream ends
 * @throws 503 when too many streams are open
 */
export async function generationStream(
  { env, snapshots }: StreamDeps,
  { id: projectId, organizationId }: Pick<SdkProject, 'id' | 'organizationId'>,
  network: string | null,
  known: number | null,
  seconds: number,
): Promise<ReadableStream<Uint8Array>> {
  const leave = capacity.take(organizationId, network)
  const socket = await listen(env, projectId).catch((error: unknown) => {
    leave()
    throw error
  })
  const encoder = new TextEncoder()
  let sent: number | null = null
  let events = 0
  let end: (isCancelled?: boolean) => void = () => {}

  const current = async ({ generation, mark }: StreamMessage): Promise<number> => {
    // The location loads the generation first, so that a read after the event sees the change.
    const work = mark ? snapshots.leaveMark(projectId, mark) : followTo({ snapshots }, projectId, generation)
    await settleWithin(work, CURRENT_DEADLINE_MS)
    if (sent !== null) return generation
    const loaded = await settleWithin(snapshots.load(projectId), CURRENT_DEADLINE_MS)
    return Math.max(generation, loaded?.snapshot.generation ?? 0)
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true
      const write = (text: string) => void (isOpen && controller.enqueue(encoder.encode(text)))
      // The runtime does not always report that a client has disconnected, and its stream would occupy a slot until its time is over. A
      // client that has not read the previous heartbeat is gone, or reads too slowly.
      const isUnread = () => (controller.desiredSize ?? 0) <= 0
      const heartbeat = setInterval(() => (isUnread() ? end() : write(': still here\n\n')), HEARTBEAT_MS)
      const timer = setTimeout(() => end(), seconds * 1000)
      end = (isCancelled = false) => {
        if (!isOpen) return
        isOpen = false
        leave()
        clearInterval(heartbeat)
        clearTimeout(timer)
        socket.close()
        if (!isCancelled) controller.close()
      }
      const send = (generation: number, isRecent = false) => {
        if (sent !== null && generation <= sent) return
        const isChange = sent !== null || (known === null ? isRecent : known !== generation)
        sent = generation
        const data = { type: isChange ? 'refetchEvaluation' : 'connected', generation }
        write(`id: ${generation}\ndata: ${JSON.stringify(data)}\n\n`)
        events += 1
        if (events >= MAX_EVENTS) end()
      }
      let last = Promise.resolve()
      // The first message is the generation at the time of connecting.
      socket.addEventListener('message', ({ data }) => {
        last = last
          .then(async () => {
            const message = parseStreamMessage(data)
            send(await current(message), message.isRecent)
          })
          .catch(() => end())
      })
      socket.addEventListener('close', () => end())
      socket.addEventListener('error', () => end())
      socket.accept()
      write(`retry: ${MIN_RETRY_MS + Math.floor(Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS))}\n\n`)
    },
    cancel: () => end(true),
  })
}

/** Loads a generation in this location that was announced without its definitions. */
async function followTo(
  { snapshots }: Pick<Deps, 'snapshots'>,
  projectId: number,
  generation: number,
): Promise<void> {
  const loaded = await snapshots.load(projectId)
  if ((loaded?.snapshot.generation ?? 0) < generation) await snapshots.publish(projectId)
}
