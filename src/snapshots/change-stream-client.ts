// The Worker's and the project object's end of the change streams.
import { within } from '../deadline'
import { ApiError } from '../errors'
import type { ChangeStream } from './change-stream'
import type { Published } from './manifest'
import { MAX_STREAMS_PER_OBJECT, type StreamMessage } from './stream-message'

type Streams = Pick<Env, 'STREAMS'> & { STREAMS_PER_PROJECT?: string }

const DEADLINE_MS = 5_000

/** Streams that a project may have. 0: there are none. */
export const maxStreams = ({ STREAMS_PER_PROJECT: setting }: Streams): number => {
  const max = Number(setting ?? MAX_STREAMS_PER_OBJECT)
  return Number.isSafeInteger(max) && max > 0 ? max : 0
}

/** The objects of a project: one for each MAX_STREAMS_PER_OBJECT streams. */
function objectsOf(env: Streams, projectId: number): DurableObjectStub<ChangeStream>[] {
  const count = Math.ceil(maxStreams(env) / MAX_STREAMS_PER_OBJECT)
  return Array.from({ length: count }, (_, nth) => env.STREAMS.getByName(`stream:${projectId}:${nth}`))
}

/** Announces a generation to all streams of a project. @throws when an object fails: its clients learn of the next. */
export async function announce(env: Streams, projectId: number, published: Published): Promise<void> {
  // Isolates read the parts where readers do.
  const news = { ...published, parts: {} }
  await Promise.all(objectsOf(env, projectId).map((object) => within(object.announce(news), DEADLINE_MS)))
}

const RETRY_S = 60

/** 503: clients keep polling. */
export const tooManyStreams = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'stream_capacity',
    detail: 'Too many streams are open. Retry later; poll until then.',
    headers: { 'Retry-After': String(RETRY_S) },
  })

/**
 * Listens for generations.
 * @returns a socket that is not accepted yet.
 * @throws 503 when too many streams are open, or the object fails.
 */
export async function listen(env: Streams, projectId: number): Promise<WebSocket> {
  const objects = objectsOf(env, projectId)
  const object = objects[Math.floor(Math.random() * objects.length)]!
  const opened = object.fetch('https://stream/', { headers: { Upgrade: 'websocket' } })
  const { webSocket } = await within(opened, DEADLINE_MS).catch(() => {
    throw tooManyStreams()
  })
  if (!webSocket) throw tooManyStreams()
  return webSocket
}

export const parseStreamMessage = (data: string | ArrayBuffer): StreamMessage =>
  JSON.parse(String(data)) as StreamMessage
