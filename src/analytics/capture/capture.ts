// Taking in events: each is stored once, and persons, groups, property definitions and flags learn from it in the same moment.
import type { Deps } from '../../deps'
import { ApiError, invalid, unavailable } from '../../errors'
import { isGuardFailure, isUniqueViolation } from '../../storage/database'
import { capturedRows } from '../warehouse/captured-rows'
import { isMirrored, sendRows } from '../warehouse/send'
import { changeGroups } from './group-changes'
import { runsOf } from './json-parameters'
import { learnProperties } from './learn-properties'
import { type CapturedEvent, MAX_EVENT_BYTES, parseEvent } from './parse-event'
import { changePersons } from './person-changes'
import type { Problem } from './problem'
import { readState } from './read-state'
import { writeCapture } from './write'

/** Events that one request may carry. Clients halve a request that is answered with 413. */
const MAX_EVENTS = 10_000

/** Events that are decided on together, in one read and one write. */
const RUN_LENGTH = 1_000

/** How often somebody else may be first before the caller is asked to come back. */
const MAX_ATTEMPTS = 20

export interface CaptureRequest {
  /** As the client sent them. */
  events: readonly unknown[]
  /** When the client says that it sent them, by its own clock. */
  sentAt: Date | null
}

/**
 * Stores the events of a request, in their order (decision 21). Repeating a request changes nothing, as far as its events have uuids.
 * @returns what could not be done, by event. The rest is done.
 * @throws 400 when not one event can be used, 413 past 10,000 events, 503 when the same persons are written by too many at once: then
 * events from some place in the request on are not stored.
 */
export async function capture(
  deps: Deps,
  projectId: number,
  { events: sent, sentAt }: CaptureRequest,
): Promise<Problem[]> {
  if (sent.length > MAX_EVENTS) throw tooManyEvents()
  const now = deps.clock.now()
  const newUuid = () => deps.ids.uuid(now)
  const parsed = sent.map((raw, index) => parseEvent(raw, index, { now, sentAt, newUuid }))
  const events = parsed.flatMap(({ event }) => event ?? [])
  const problems = parsed.flatMap((each) => each.problems)
  if (events.length === 0) {
    const [first] = problems
    throw first ? invalid(first.attr, first.detail) : invalid('batch', 'This list may not be empty.', 'empty')
  }
  for (const run of runsOf(events, ({ bytes }) => bytes, MAX_EVENT_BYTES, RUN_LENGTH)) {
    problems.push(...(await storeRun(deps, projectId, run, now)))
  }
  return problems.sort((a, b) => a.index - b.index)
}

async function storeRun(
  deps: Deps,
  projectId: number,
  run: readonly CapturedEvent[],
  now: Date,
): Promise<Problem[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return await tryRun(deps, projectId, run, now)
    } catch (error) {
      if (!isGuardFailure(error) && !isUniqueViolation(error)) throw error
      await pauseBefore(attempt)
    }
  }
  throw unavailable('The same persons are being written by too many requests at once. Please retry.')
}

async function tryRun(
  { env, db, ids, knownProperties, snapshots, afterResponse }: Deps,
  projectId: number,
  run: readonly CapturedEvent[],
  now: Date,
): Promise<Problem[]> {
  const state = await readState(db, projectId, run)
  const events = firstOfEach(run, state.storedEvents)
  if (events.length === 0) return []
  const persons = changePersons(events, state.people, () => ids.uuid(now))
  const groups = changeGroups(events, state.groupTypes, state.groups)
  const definitions = learnProperties(events, groups.typeIndexes, knownProperties.of(projectId))
  const write = { events, persons, groups, definitions, isMirrored: isMirrored(env) }
  const moves = await writeCapture(db, projectId, now, write)
  knownProperties.add(projectId, definitions)
  if (moves) {
    const rows = capturedRows(write, { projectId, now, people: state.people, moves })
    afterResponse(() => sendRows(env.WAREHOUSE, rows))
  }
  // Flag definitions show group types.
  if (groups.newTypes.length) afterResponse(() => snapshots.publish(projectId))
  return [...persons.problems, ...groups.problems]
}

/** The events that are not stored yet. Of those that share a uuid only the first counts. */
function firstOfEach(run: readonly CapturedEvent[], storedEvents: ReadonlySet<string>): CapturedEvent[] {
  const seen = new Set(storedEvents)
  return run.filter(({ uuid }) => !seen.has(uuid) && seen.add(uuid))
}

/** Requests that collided once would collide again if they all went on at once: each waits for a time of its own. */
const pauseBefore = (attempt: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(400, 10 * 2 ** attempt))
  })

const tooManyEvents = () =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `A request may carry at most ${MAX_EVENTS} events.`,
  })
