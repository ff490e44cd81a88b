// Capture: applies events to persons, groups, property definitions and flags in the main database, then queues them for the project's
// analytics store. The answer comes when both are durable.
import type { Deps } from '../../deps'
import { ApiError, invalid, unavailable } from '../../errors'
import { isGuardFailure, isUniqueViolation } from '../../storage/database'
import { addTask, deleteTasks } from '../../outbox/outbox'
import { type MessageText, messagesOf } from '../ingestion/message'
import { sendMessages } from '../ingestion/send'
import type { AnalyticsStore } from '../../storage/shards'
import { changedPeople, eventRow, isLarge, peopleCopies } from '../ingestion/captured-rows'
import { changeGroups } from './group-changes'
import { runsOf } from '../../storage/json-parameters'
import { learnProperties } from './learn-properties'
import { type CapturedEvent, MAX_EVENT_BYTES, parseEvent } from './parse-event'
import { changePersons } from './person-changes'
import type { Problem } from './event-parts'
import { readState } from './read-state'
import { changesCopies, writeCapture } from './write'

/** Events that one request may carry. Clients halve a request that is answered with 413. */
const MAX_EVENTS = 10_000

/** Events that are applied together, in one read and one write. */
const RUN_LENGTH = 1_000

/** How often other requests may be first before the caller gets a 503. */
const MAX_ATTEMPTS = 20

export interface CaptureRequest {
  /** As the client sent them. */
  events: readonly unknown[]
  /** When the client says that it sent them, by its own clock. */
  sentAt: Date | null
}

/** A project as far as capture goes. */
export interface CaptureProject {
  id: number
  store: AnalyticsStore
}

export interface Captured {
  /** What could not be done, by event. The rest is done. */
  problems: Problem[]
  /** Of the events that were taken. */
  uuids: string[]
}

/**
 * Takes the events of a request, in their order (decision 21). Repeating a request changes nothing, as far as its events have uuids.
 * @throws 400 when not one event can be used, 413 past 10,000 events, 503 when too many requests write the same persons at once or the
 * queue does not take the events: then events from some place in the request on are not stored.
 */
export async function capture(
  deps: Deps,
  project: CaptureProject,
  { events: sent, sentAt }: CaptureRequest,
): Promise<Captured> {
  if (sent.length > MAX_EVENTS) throw tooManyEvents()
  const now = deps.clock.now()
  const newUuid = () => deps.ids.uuid(now)
  const parsed = sent.map((raw, index) => parseEvent(raw, index, { now, sentAt, newUuid }))
  const events = firstOfEach(parsed.flatMap(({ event }) => event ?? []))
  const problems = parsed.flatMap((each) => each.problems)
  if (events.length === 0) {
    const [first] = problems
    throw first ? invalid(first.attr, first.detail) : invalid('batch', 'This list may not be empty.', 'empty')
  }
  for (const run of runsOf(events, ({ bytes }) => bytes, MAX_EVENT_BYTES, RUN_LENGTH)) {
    problems.push(...(await takeRun(deps, project, run, now)))
  }
  return { problems: problems.sort((a, b) => a.index - b.index), uuids: events.map(({ uuid }) => uuid) }
}

async function takeRun(
  deps: Deps,
  project: CaptureProject,
  run: readonly CapturedEvent[],
  now: Date,
): Promise<Problem[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return await tryRun(deps, project, run, now)
    } catch (error) {
      if (!isGuardFailure(error) && !isUniqueViolation(error)) throw error
      await pauseBefore(attempt)
    }
  }
  throw unavailable('The same persons are being written by too many requests at once. Please retry.')
}

async function tryRun(
  deps: Deps,
  project: CaptureProject,
  sent: readonly CapturedEvent[],
  now: Date,
): Promise<Problem[]> {
  const { env, db, ids, knownProperties, snapshots, afterResponse } = deps
  const state = await readState(db, project.id, sent)
  const events = sent.map((event) => asFirstSent(event, state.applied.get(event.uuid)))
  const unapplied = events.filter(({ uuid }) => !state.applied.has(uuid))
  const persons = changePersons(unapplied, state.people, state.distinctIdCounts, () => ids.uuid(now))
  const groups = changeGroups(unapplied, state.groupTypes, state.groups)
  const definitions = learnProperties(events, groups.typeIndexes, knownProperties.of(project.id))

  const rowOf = (event: CapturedEvent) =>
    eventRow(
      event,
      groups.typeIndexes,
      persons.changedNames.get(event.uuid),
      state.applied.get(event.uuid) ?? now,
    )
  const largeEvents = events
    .filter(isLarge)
    .map((event) => addTask(deps, now, project.id, { kind: 'store_event', event: rowOf(event) }))
  const changes = { persons, groups }
  const copies = changesCopies(changes)
    ? addTask(deps, now, project.id, { kind: 'copy_people', ...changedPeople(changes, state.people) })
    : null
  const tasks = [...largeEvents, ...(copies ? [copies] : [])].map(({ statement }) => statement)

  const written = await writeCapture(db, project.id, now, {
    isFirst: state.isFirst,
    events: unapplied,
    persons,
    groups,
    definitions,
    tasks,
  })
  knownProperties.add(project.id, definitions)
  // A crash from here on loses nothing: without an answer the client repeats the request, whose events count once, and the trigger repeats
  // the tasks.
  await sendOrRefuse(
    env,
    messagesOf(
      { projectId: project.id, store: project.store },
      {
        ...peopleCopies(changes, state.people, written),
        events: events.filter((event) => !isLarge(event)).map(rowOf),
      },
      largeEvents.map(({ task }) => task.id),
    ),
  )
  if (copies) afterResponse(() => deleteTasks(db, [copies.task.id]))
  // Flag definitions show group types.
  if (groups.newTypes.length) await snapshots.publish(project.id)
  return [...persons.problems, ...groups.problems]
}

/** A store that has the event from an earlier request must get the same row: ClickHouse finds a row by its day, too. */
const asFirstSent = (event: CapturedEvent, arrival: Date | undefined): CapturedEvent =>
  arrival && event.timestampAt ? { ...event, timestamp: event.timestampAt(arrival) } : event

/** @throws 503 when the queue does not take the messages. */
async function sendOrRefuse(env: Env, messages: readonly MessageText[]): Promise<void> {
  try {
    await sendMessages(env.INGESTION, messages)
  } catch (error) {
    throw unavailable('The events could not be queued. Please retry.', error)
  }
}

/** Requests that collided would collide again if they all went on at once: each waits for a random time. */
const pauseBefore = (attempt: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.random() * Math.min(400, 10 * 2 ** attempt))
  })

/** Of events that share a uuid only the first counts. */
function firstOfEach(events: readonly CapturedEvent[]): CapturedEvent[] {
  const seen = new Set<string>()
  return events.filter(({ uuid }) => !seen.has(uuid) && seen.add(uuid))
}

const tooManyEvents = () =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `A request may carry at most ${MAX_EVENTS} events.`,
  })
