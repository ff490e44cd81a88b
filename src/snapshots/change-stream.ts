// Announces new generations to isolates that hold streams of a project. An object of its own: streams do not burden the one that
// writes. Each stream of a client is held by an isolate, which has a WebSocket here. WebSockets hibernate, so that the object costs nothing
// while nothing changes, however many streams are open.
import { DurableObject } from 'cloudflare:workers'
import type { Published } from './manifest'
import { MAX_STREAMS_PER_OBJECT, type StreamMessage } from './stream-message'

const KEY = 'announced'

/** Snapshots are served for up to a minute, and a page evaluates before it connects. */
const RECENT_MS = 120_000

interface Announced {
  generation: number
  /** Epoch milliseconds. */
  at: number
}

/** Characters of a message about a change; a longer one has the generation alone. All streams get it at once: 32 MB. */
export const MAX_NEWS_LENGTH = 32 * 1024

export class ChangeStream extends DurableObject<Env> {
  /** Opens a WebSocket; its first message is the generation that was announced last. 503 where too many are open. */
  override async fetch(): Promise<Response> {
    if (this.ctx.getWebSockets().length >= MAX_STREAMS_PER_OBJECT) return new Response(null, { status: 503 })
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    const { generation, at } = this.#announced()
    const isRecent = Date.now() - at < RECENT_MS
    send(server, JSON.stringify({ generation, published: null, isRecent } satisfies StreamMessage))
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Announces a generation, unless a later one is announced already. */
  async announce(published: Published): Promise<void> {
    const { generation } = published.pointer
    if (generation <= this.#announced().generation) return
    this.ctx.storage.kv.put<Announced>(KEY, { generation, at: Date.now() })
    const whole = JSON.stringify({ generation, published } satisfies StreamMessage)
    const text =
      whole.length <= MAX_NEWS_LENGTH
        ? whole
        : JSON.stringify({ generation, published: null } satisfies StreamMessage)
    for (const socket of this.ctx.getWebSockets()) send(socket, text)
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close()
  }

  #announced(): Announced {
    return this.ctx.storage.kv.get<Announced>(KEY) ?? { generation: 0, at: 0 }
  }
}

/** A lost isolate is not a failure: its client connects again. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text)
  } catch {
    socket.close()
  }
}
