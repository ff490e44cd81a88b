// The client of the change streams, for the Worker and the project object.
import { within } from '../deadline'
import { ApiError } from '../errors'
import type { Mark } from './document'

/** The message to isolates that hold streams of a project. */
export interface StreamMessage {
  generation: number
  /** The mark of the generation's document; absent in the first message. */
  mark?: Mark
  /** In the first message: whether a client may have just evaluated an earlier generation. */
  isRecent?: boolean
}

/** The most streams of one object. */
export const MAX_STREAMS_PER_OBJECT = 1_000

type Streams = Pick<Env, 'STREAMS'> & { STREAMS_PER_PROJECT?: string | number }

const DEADLINE_MS = 5_000

/** Returns the maximum of streams of a project. With 0, there are none. */
export const maxStreams = ({ STREAMS_PER_PROJECT: setting }: Streams): number => {
  const max = Number(String(setting ?? '') || MAX_STREAMS_PER_OBJECT)
  return Number.isSafeInteger(max) && max > 0 ? max : 0
}

const objectOf = (env: Pick<Env, 'STREAMS'>, projectId: number, nth: number) =>
  env.STREAMS.getByName(`stream:${projectId}:${nth}`)

/**
 * Announces a generation to the streams of one object.
 * @returns whether the object has streams
 * @throws when the object fails
 */
export function announceTo(
  env: Pick<Env, 'STREAMS'>,
  projectId: number,
  nth: number,
  mark: Mark,
): Promise<boolean> {
  return within(objectOf(env, projectId, nth).announce(mark), DEADLINE_MS)
}

const RETRY_S = 60

/** Returns the 503 after which clients keep polling. */
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
 * @returns a socket that is not accepted yet
 * @throws 503 when too many streams are open, or the object fails
 */
export async function listen(env: Streams, projectId: number): Promise<WebSocket> {
  // A project has one object for each MAX_STREAMS_PER_OBJECT streams.
  const objects = Math.ceil(maxStreams(env) / MAX_STREAMS_PER_OBJECT)
  const nth = Math.floor(Math.random() * objects)
  const address = `https://stream/?project=${projectId}&object=${nth}`
  const opened = objectOf(env, projectId, nth).fetch(address, { headers: { Upgrade: 'websocket' } })
  const { webSocket } = await within(opened, DEADLINE_MS).catch(() => {
    throw tooManyStreams()
  })
  if (!webSocket) throw tooManyStreams()
  return webSocket
}

export const parseStreamMessage = (data: string | ArrayBuffer): StreamMessage =>
  JSON.parse(String(data)) as StreamMessage
