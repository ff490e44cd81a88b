// The parts of snapshots that one request has read from KV, was given, or has derived from those in memory.
import { within } from '../deadline'
import {
  FORMAT,
  type MissingParts,
  type SnapshotPart,
  type PartChange,
  type PartContent,
  partKey,
  type Pointer,
} from './manifest'
import { changedPart, decodePart, parsePart } from './parts'

/** How long KV may take for a pointer, and for each turn of parts; past that, the project object is asked. */
export const KV_DEADLINE_MS = 250
/** Values that the platform reads from KV at the same time for one request. */
const KV_CONCURRENCY = 6
/** Seconds for which KV may answer from a cache near by. */
export const POINTER_TTL_S = 60
const PART_TTL_S = 86_400

export interface PartReader {
  /** The parts of a pointer by hash, from memory or KV; null when some are in neither. */
  read(pointer: Pointer): Promise<Map<string, PartContent> | null>
  /** Takes over parts that the project object returned, by hash. */
  add(parts: Readonly<Record<string, Uint8Array>>): void
  /** Finds parts that follow from those in memory. Changes of another release have another shape. */
  derive(pointer: Pointer, changes: readonly PartChange[]): void
  /** Parts that could not be read so far; undefined if none. */
  missing(): MissingParts | undefined
}

/**
 * @param partsInMemory of a project, by hash.
 * @param onFailure receives errors of KV, and content that does not match its hash.
 */
export function createPartReader(
  kv: KVNamespace,
  partsInMemory: (projectId: number) => ReadonlyMap<string, PartContent> | undefined,
  onFailure: (error: unknown) => void,
): PartReader {
  const found = new Map<string, PartContent>()
  const missing = new Set<string>()
  const unread = new Set<string>()

  const contentOf = (projectId: number, hash: string) =>
    found.get(hash) ?? partsInMemory(projectId)?.get(hash)

  async function readPart(
    projectId: number,
    { hash, put_at: putAt }: SnapshotPart,
    deadlineMs: number,
  ): Promise<void> {
    if (missing.has(hash) || unread.has(hash)) return
    // KV caches that it has nothing, too: a part that is about to be put has to be found soon.
    const cacheTtl = putAt === null ? POINTER_TTL_S : PART_TTL_S
    try {
      const read = kv.get(partKey(projectId, hash), { type: 'arrayBuffer', cacheTtl })
      const bytes = await within(read, deadlineMs)
      const content = bytes && (await decodePart(hash, bytes))
      if (content) found.set(hash, content)
      else if (bytes || putAt !== null) missing.add(hash)
      else unread.add(hash)
      if (bytes && !content) throw new Error(`KV has other content under ${partKey(projectId, hash)}`)
    } catch (error) {
      if (!missing.has(hash)) unread.add(hash)
      onFailure(error)
    }
  }

  return {
    async read({ project_id: projectId, parts }) {
      const absent = parts.filter(({ hash }) => !contentOf(projectId, hash))
      const deadlineMs = KV_DEADLINE_MS * Math.ceil(absent.length / KV_CONCURRENCY)
      await Promise.all(absent.map((part) => readPart(projectId, part, deadlineMs)))
      const contents = parts.flatMap(({ hash }): [string, PartContent][] => {
        const content = contentOf(projectId, hash)
        return content ? [[hash, content]] : []
      })
      return contents.length === parts.length ? new Map(contents) : null
    },
    add(parts) {
      for (const [hash, bytes] of Object.entries(parts)) found.set(hash, parsePart(bytes))
    },
    derive({ project_id: projectId, format }, changes) {
      if (format !== FORMAT) return
      for (const change of changes) {
        const before = change.from.map((hash) => contentOf(projectId, hash)).find((content) => content)
        if (before) found.set(change.to, changedPart(before, change))
      }
    },
    missing: () =>
      missing.size + unread.size === 0 ? undefined : { missing: [...missing], unread: [...unread] },
  }
}
