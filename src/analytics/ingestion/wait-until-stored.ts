// `Prefer: wait=<seconds>` (RFC 7240 §4.3): waits until captured events can be queried.
import { sleep } from '../../deadline'
import type { Deps } from '../../deps'
import { engineFor } from '../engine/select-engine'
import type { Captured, CaptureProject } from '../capture/capture'
import { countStoredEvents, countStoredPersons } from '../event-reads/stored-events'

const MAX_WAIT_S = 10

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500

/** Returns the seconds in the `Prefer` header, up to the maximum, or 0 without it. */
export function waitIn(headers: Headers): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})/i.exec(headers.get('Prefer') ?? '')?.[1]
  return Math.min(Number(seconds ?? 0), MAX_WAIT_S)
}

/**
 * @returns whether all events are stored, and all copies of persons that changed without an event; false after a timeout, or when the
 * store is unavailable
 */
export async function waitUntilStored(
  deps: Deps,
  project: CaptureProject,
  { uuids, personVersions }: Pick<Captured, 'uuids' | 'personVersions'>,
  seconds: number,
): Promise<boolean> {
  const until = Date.now() + seconds * 1000
  const engine = engineFor(deps, project.store)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const isStored = await Promise.race([
      Promise.all([
        countStoredEvents(engine, project.id, uuids),
        countStoredPersons(engine, project.id, personVersions),
      ]).then(
        ([events, persons]) => events === uuids.length && persons === personVersions.size,
        () => false,
      ),
      sleep(until - Date.now()).then(() => false),
    ])
    if (isStored) return true
    if (Date.now() + pause > until) return false
    await sleep(pause)
  }
}
