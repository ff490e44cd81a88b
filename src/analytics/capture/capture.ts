// Applies events to persons, groups, property definitions and flags in the main database, then queues them for the analytics store. Where
// the queue is not durable, it stores them itself. It responds when both are durable.
import { sleep } from '../../deadline'
import type { Deps } from '../../deps'
import { ApiError, invalid, unavailable } from '../../errors'
import { isGuardFailure, isUniqueViolation } from '../../storage/database'
import { insertTask, deleteTasks } from '../../outbox/outbox'
import { type MessageText, messagesOf } from '../ingestion/message'
import { sendMessages } from '../ingestion/send'
import { isOpenToBulk, maxBytesOf } from '../../storage/database-size'
import type { AnalyticsStore } from '../../storage/shards'
import { changedPeople, eventRow, isLarge, peopleCopies, uniqueByUuid } from '../ingestion/captured-rows'
import { changeGroups } from './group-changes'
import { chunksOf } from '../../storage/json-parameters'
import { learnProperties } from './learn-properties'
import { type CapturedEvent, MAX_EVENT_BYTES, parseEvent, withCopies } from './parse-event'
import { changePersons } from './person-changes'
import type { Problem } from './event-parts'
import type { Arrival } from './parse-datetime'
import { readState } from './read-state'
import { StoredBudget } from './stored-budget'
import { warningsOf } from './warnings'
import { changesCopies, writeCapture } from './write'

/** Maximum events of a request. Clients halve a request after a 413. */
const MAX_EVENTS = 10_000

/** Maximum events of one read and write. */
const MAX_CHUNK_EVENTS = 1_000

/** Conflicts with other requests, after which the response is 503. */
const MAX_ATTEMPTS = 20

export interface CaptureRequest extends Omit<Arrival, 'now'> {
  events: readonly unknown[]
}

export interface CaptureProject {
  id: number
  organizationId: string
  store: AnalyticsStore
}

export interface Captured {
  /** Rejected events and parts of events. The others are applied. */
  problems: Problem[]
  /** Whether the event at an index of the request is accepted. */
  isAccepted(index: number): boolean
  /** Uuids of the accepted events, without those of events that only change persons and groups. */
  uuids: string[]
  /** Versions of the persons that events of the latter kind have created or changed, by uuid. */
  personVersions: ReadonlyMap<string, number>
}

/**
 * Captures events in order. Repeating a request changes nothing, if its events have uuids. An event that changed nothing of its person is an
 * exception, because it is not remembered: a property that it carries may replace one that a later event has given the person.
 * @throws 400 when all events are invalid, 413 past 10,000 events or when they change too much that is stored, 503 when too many requests
 * write the same persons or the queue fails: then the last events are not stored
 */
export async function capture(
  deps: Deps,
  project: CaptureProject,
  { events: sent, sentAt, unreadableSentAt }: CaptureRequest,
): Promise<Captured> {
  if (sent.length > MAX_EVENTS) throw tooManyEvents()
  const now = deps.clock.now()
  const newUuid = () => deps.ids.uuid(now)
  const parsed = sent.map((raw, index) => parseEvent(raw, index, { now, sentAt, unreadableSentAt, newUuid }))
  const events = uniqueByUuid(parsed.flatMap(({ event }) => event ?? []))
  const problems = parsed.flatMap((each) => each.problems)
  const personVersions = new Map<string, number>()
  if (events.length === 0) {
    const [first] = problems
    reportProblems()
    throw first ? invalid(first.attr, first.detail) : invalid('batch', 'This list may not be empty.', 'empty')
  }
  const budget = new StoredBudget()
  for (const chunk of chunksOf(events, ({ bytes }) => bytes, MAX_EVENT_BYTES, MAX_CHUNK_EVENTS)) {
    const applied = await applyChunk(deps, project, chunk, now, budget)
    problems.push(...applied.problems)
    if (chunk.some(({ isStored }) => !isStored))
      for (const [uuid, version] of applied.personVersions) personVersions.set(uuid, version)
  }
  reportProblems()
  return {
    problems: problems.sort((a, b) => a.index - b.index),
    isAccepted,
    uuids: events.filter(({ isStored }) => isStored).map(({ uuid }) => uuid),
    personVersions,
  }

  function isAccepted(index: number): boolean {
    return parsed[index]?.event !== null
  }

  function reportProblems(): void {
    if (problems.length === 0) return
    deps.warnings.report(deps, project.id, warningsOf(sent, problems, isAccepted, now))
  }
}

interface Applied {
  problems: Problem[]
  personVersions: [uuid: string, version: number][]
}

async function applyChunk(
  deps: Deps,
  project: CaptureProject,
  chunk: readonly CapturedEvent[],
  now: Date,
  budget: StoredBudget,
): Promise<Applied> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return await tryChunk(deps, project, chunk, now, budget)
    } catch (error) {
      if (!isGuardFailure(error) && !isUniqueViolation(error)) throw error
      await backOff(attempt)
    }
  }
  throw unavailable('The same persons are being written by too many requests at once. Please retry.')
}

async function tryChunk(
  deps: Deps,
  project: CaptureProject,
  chunk: readonly CapturedEvent[],
  now: Date,
  budget: StoredBudget,
): Promise<Applied> {
  const { env, db, meter, ids, knownProperties, snapshots, afterResponse } = deps
  const state = await readState(db, project.id, chunk)
  budget.require(state.stored, chunk[0]!.index)
  const events = chunk.map((event) => withFirstArrival(event, state.applied.get(event.uuid)?.at))
  const unapplied = events.filter(({ uuid }) => !state.applied.has(uuid))
  const persons = changePersons(unapplied, state.people, () => ids.uuid(now))
  budget.requireMoves(persons.movedIds, chunk[0]!.index)
  const groups = changeGroups(unapplied, state.groupTypes, state.groups)
  const isOpen = isOpenToBulk(meter.databaseBytes, maxBytesOf(env))
  // Later events define what these do not.
  const definitions = isOpen
    ? learnProperties(events, groups.typeIndexes, knownProperties.of(project.id), now)
    : []

  const rowOf = (event: CapturedEvent) => {
    const applied = state.applied.get(event.uuid)
    const isCopied = applied ? applied.isCopied : persons.copied.has(event.uuid)
    return eventRow(
      isCopied ? withCopies(event) : event,
      groups.typeIndexes,
      persons.changedNames.get(event.uuid),
      applied?.at ?? now,
    )
  }
  const stored = events.filter(({ isStored }) => isStored)
  const largeEvents = stored
    .filter(isLarge)
    .map((event) => insertTask(deps, now, project.id, { kind: 'store_event', event: rowOf(event) }))
  const changes = { persons, groups }
  const copies = changesCopies(changes)
    ? insertTask(deps, now, project.id, { kind: 'copy_people', ...changedPeople(changes, state.people) })
    : null
  const tasks = [...largeEvents, ...(copies ? [copies] : [])].map(({ statement }) => statement)

  const written = await writeCapture(db, project.id, now, {
    isFirst: state.isFirst,
    isOpen,
    events: unapplied,
    persons,
    groups,
    definitions,
    tasks,
  })
  budget.spend(state.stored, persons.movedIds)
  knownProperties.add(project.id, definitions)
  // A crash from here on loses nothing. The client gets no response and repeats the request, whose events count once, and the trigger
  // repeats the tasks.
  await handOver(
    env,
    messagesOf(
      { projectId: project.id, store: project.store },
      {
        ...peopleCopies(changes, state.people, written),
        events: stored.filter((event) => !isLarge(event)).map(rowOf),
      },
      largeEvents.map(({ id }) => id),
    ),
  )
  if (copies) afterResponse(() => deleteTasks(db, [copies.id]))
  // Flag definitions include group types.
  if (groups.newTypes.length) await snapshots.publish(project.id)
  return {
    problems: [...persons.problems, ...groups.problems],
    personVersions: persons.rows.map(({ uuid }) => [uuid, written.version]),
  }
}

/** Gives an event the time of its first arrival. A repeated event must give the same row, which ClickHouse also finds by its day. */
const withFirstArrival = (event: CapturedEvent, arrival: Date | undefined): CapturedEvent =>
  arrival && event.timestampAt ? { ...event, timestamp: event.timestampAt(arrival) } : event

/** Gives messages to the queue. Where the queue is not durable, it stores them itself. */
async function handOver(env: Env, messages: readonly MessageText[]): Promise<void> {
  if (env.CAPTURE_STORES === 'on') {
    const { storeMessages } = await import('../ingestion/store-messages')
    return storeMessages(env, messages)
  }
  return sendMessages(env.INGESTION, messages).catch((error: unknown) => {
    throw unavailable('The events could not be queued. Please retry.', error)
  })
}

/** Waits for a random time, so that conflicting requests do not conflict again. */
const backOff = (attempt: number) => sleep(Math.random() * Math.min(400, 10 * 2 ** attempt))

const tooManyEvents = () =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `A request may carry at most ${MAX_EVENTS} events.`,
  })
