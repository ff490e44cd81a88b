// Which generation of a project was last published through this location, so that its other isolates follow a write at once: KV may answer
// them from its cache for up to a minute. The Cache API is local to a location. It does nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import type { Published } from './document'

/** Longer than a snapshot is served without a look at D1: after it, no isolate serves what was current before the write. */
const MARKER_TTL_S = 60
/** A cache that takes longer counts as empty: flags are answered from memory. */
const MARKER_DEADLINE_MS = 100
/** An isolate looks at a project's marker this often at most. A write waits as long before its response, so that no read after it is stale. */
export const MARKER_INTERVAL_MS = 10
/** An isolate that is more changes behind reads the parts. */
const MAX_CHANGES = 32
/** Characters. */
const MAX_MARKER_LENGTH = 512 * 1024

/** What a location has last published, and how its parts follow from those before. */
export type Marked = Pick<Published, 'pointer' | 'changes'>

export interface LocationMarker {
  /** The newest known generation; null when nothing was published here lately. Never throws. */
  read(projectId: number): Promise<Marked | null>
  /** Stores what was published, unless something newer is there. Resolves when every isolate has to look again. Never throws. */
  write(projectId: number, published: Marked): Promise<void>
}

/** @param origin of the deployment: the platform wants keys under a host that the Worker serves. */
export function createLocationMarker(
  cache: Pick<Cache, 'match' | 'put'>,
  origin: string,
  deadlineMs = MARKER_DEADLINE_MS,
): LocationMarker {
  const keyOf = (projectId: number) => `${origin}/.halyard/flags/${projectId}`

  async function match(projectId: number): Promise<Marked | null> {
    const found = await cache.match(keyOf(projectId))
    return found ? await found.json<Marked>() : null
  }

  function put(projectId: number, { pointer, changes }: Marked, known: Marked | null) {
    const all = [...(known?.changes ?? []), ...changes].slice(-MAX_CHANGES)
    const texts = [all, changes, []].map((each) => JSON.stringify({ pointer, changes: each }))
    return cache.put(
      keyOf(projectId),
      new Response(texts.find(({ length }) => length <= MAX_MARKER_LENGTH) ?? texts.at(-1), {
        headers: { 'Cache-Control': `max-age=${MARKER_TTL_S}` },
      }),
    )
  }

  const read = (projectId: number) => settleWithin(match(projectId), deadlineMs)

  return {
    read,
    async write(projectId, published) {
      const known = await read(projectId)
      if (!known || known.pointer.generation < published.pointer.generation)
        await settleWithin(put(projectId, published, known), deadlineMs)
      await scheduler.wait(MARKER_INTERVAL_MS)
    },
  }
}
