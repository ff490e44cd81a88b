// Announces new generations to isolates that serve streams of a project. This is a separate object, so that streams do not burden the one
// that writes. Each stream of a client is served by an isolate, which has a WebSocket here. WebSockets hibernate, so that the object costs
// nothing while nothing changes, however many streams are open. An object with streams subscribes to the project object; one without
// streams is not called.
import { DurableObject } from 'cloudflare:workers'
import { projectObjectName } from '../project-object-name'
import { consoleLog, describeError } from '../http/log/request-log'
import type { Mark } from './document'
import { MAX_STREAMS_PER_OBJECT, type StreamMessage } from './change-stream-client'

const ANNOUNCED = 'announced'
const SUBSCRIBED = 'subscribed'

/** How long a generation counts as recent: snapshots are served for up to a minute, and a page evaluates before it connects. */
const RECENT_MS = 120_000

export interface Announced {
  generation: number
  /** When the generation began, in epoch milliseconds. */
  at: number
}

export class ChangeStream extends DurableObject<Env> {
  /** The number of WebSockets that wait for the subscription. */
  #connecting = 0

  /**
   * Opens a WebSocket. Its first message is the generation that was announced last. The response is 503 when too many are open, and when
   * the project object fails.
   */
  override async fetch(request: Request): Promise<Response> {
    if (this.#listeners() >= MAX_STREAMS_PER_OBJECT) return new Response(null, { status: 503 })
    this.#connecting += 1
    try {
      await this.#subscribe(new URL(request.url).searchParams)
    } catch (error) {
      consoleLog({
        level: 'error',
        message: 'a stream could not subscribe to changes',
        error: describeError(error),
      })
      return new Response(null, { status: 503 })
    } finally {
      this.#connecting -= 1
    }
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    const { generation, at } = this.#announced()
    const isRecent = Date.now() - at < RECENT_MS
    send(server, JSON.stringify({ generation, isRecent } satisfies StreamMessage))
    return new Response(null, { status: 101, webSocket: client })
  }

  /**
   * Announces a generation, unless a later one was announced before.
   * @returns whether there are streams; if not, the object subscribes again when there are
   */
  async announce(mark: Mark): Promise<boolean> {
    const { generation } = mark
    const hasStreams = this.#listeners() > 0
    if (!hasStreams) this.ctx.storage.kv.delete(SUBSCRIBED)
    if (generation <= this.#announced().generation) return hasStreams
    this.ctx.storage.kv.put<Announced>(ANNOUNCED, { generation, at: Date.now() })
    const text = JSON.stringify({ generation, mark } satisfies StreamMessage)
    for (const socket of this.ctx.getWebSockets()) send(socket, text)
    return hasStreams
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close()
  }

  /** @throws when the project object fails */
  async #subscribe(address: URLSearchParams): Promise<void> {
    const { kv } = this.ctx.storage
    if (kv.get<boolean>(SUBSCRIBED)) return
    const project = this.env.PROJECTS.getByName(projectObjectName(Number(address.get('project'))))
    const newest = await project.subscribe(Number(address.get('object')))
    if (newest.generation > this.#announced().generation) kv.put<Announced>(ANNOUNCED, newest)
    kv.put(SUBSCRIBED, true)
  }

  #listeners(): number {
    return this.ctx.getWebSockets().length + this.#connecting
  }

  #announced(): Announced {
    return this.ctx.storage.kv.get<Announced>(ANNOUNCED) ?? { generation: 0, at: 0 }
  }
}

/** Sends a text. A closed socket is no failure: the client of a lost isolate connects again. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text)
  } catch {
    socket.close()
  }
}
