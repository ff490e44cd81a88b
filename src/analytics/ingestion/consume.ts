// Consumes the ingestion queue. A message is acknowledged when its rows are in the analytics store. Messages may arrive repeatedly and in
// any order: sinks store an event once, and the latest version of a copy.
import { Buffer } from 'node:buffer'
import { consoleLog, describeError, type Log } from '../../http/log/request-log'
import { deleteTasks, readLargeEvents } from '../../outbox/outbox'
import { openDatabase, type Database } from '../../storage/database'
import { ApiError } from '../../errors'
import { chunksOf } from '../../storage/json-parameters'
import { createMeter } from '../../storage/metered-d1'
import { MAX_EVENT_BYTES } from '../capture/parse-event'
import { clickhouseOf, ClickhouseUnreachable, isTimeout } from '../clickhouse/server'
import {
  type AnalyticsStore,
  engineUnavailable,
  openShard,
  STATEMENT_DEADLINE_MS,
} from '../../storage/shards'
import { createClickhouseSink } from './clickhouse-sink'
import { type IngestionMessage, type MessageText, parseMessage } from './message'
import { readLargeRows } from './people-copies'
import { addRows, type IngestionRows, noRows } from '../../outbox/ingestion-rows'
import { createShardSink } from './shard-sink'
import type { Sink } from './sink'

/** Maximum bytes of messages that are written together, including the rows that they reference. */
const MAX_WRITE_BYTES = 8_000_000

/** The delay of the first retry in seconds. It doubles with each retry, up to `MAX_DELAY`. */
const FIRST_DELAY = 5
const MAX_DELAY = 3_600

interface QueuedMessage {
  message: Message<MessageText>
  body: IngestionMessage
  /** The rows of the message, including those that it references. */
  rows: IngestionRows
}

/** Writes a batch of the queue, with all stores at the same time. Failed messages are retried. */
export async function consumeIngestion(
  batch: MessageBatch<MessageText>,
  env: Env,
  log: Log = consoleLog,
): Promise<void> {
  const db = openDatabase(env.DB, createMeter())
  const byStore = Map.groupBy(groupsOf(batch.messages), (group) => JSON.stringify(group[0]!.body.store))
  await Promise.all([...byStore.values()].map((groups) => writeGroups(env, db, groups, log)))
}

/** Writes the groups of one store. Once the store is unavailable, the remaining groups are retried without a write. */
async function writeGroups(
  env: Env,
  db: Database,
  groups: readonly Omit<QueuedMessage, 'rows'>[][],
  log: Log,
): Promise<void> {
  let unavailable: unknown = null
  for (const group of groups) {
    if (unavailable) {
      retry(group, unavailable, log)
      continue
    }
    const queued: QueuedMessage[] = []
    for (const each of group) {
      try {
        queued.push({ ...each, rows: await rowsOf(db, each.body) })
      } catch (error) {
        retry([each], error, log)
      }
    }
    if (queued.length > 0) unavailable = await write(env, db, queued, log)
  }
}

/** Groups messages of one project and store, each group up to a size. */
function groupsOf(messages: readonly Message<MessageText>[]): Omit<QueuedMessage, 'rows'>[][] {
  const queued = messages.map((message) => ({ message, body: parseMessage(message.body) }))
  const byStore = Map.groupBy(queued, ({ body }) => JSON.stringify([body.projectId, body.store]))
  return [...byStore.values()].flatMap((each) => chunksOf(each, bytesOf, MAX_WRITE_BYTES))
}

const bytesOf = ({ message, body }: Omit<QueuedMessage, 'rows'>): number =>
  Buffer.byteLength(message.body) + referencedBytes(body)

/** An upper bound of the bytes of referenced rows, which are read when they are written. */
const referencedBytes = ({ large: { events, persons, groups } }: IngestionMessage): number =>
  MAX_EVENT_BYTES * (events.length + persons.length + groups.length)

async function rowsOf(db: Database, { projectId, rows, large }: IngestionMessage): Promise<IngestionRows> {
  const all = noRows()
  addRows(all, rows)
  if (large.persons.length + large.groups.length > 0) addRows(all, await readLargeRows(db, projectId, large))
  if (large.events.length > 0) all.events.push(...(await readLargeEvents(db, projectId, large.events)))
  return all
}

function sinkFor(env: Env, { shard, queryEngine }: AnalyticsStore): Sink {
  if (queryEngine === 'd1')
    return createShardSink(openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS).d1)
  const server = clickhouseOf(env)
  if (!server)
    throw engineUnavailable(new Error('CLICKHOUSE_URL is not set, and a project stores its events there'))
  return createClickhouseSink(server)
}

/** @returns the error of an unavailable store, or null */
async function write(env: Env, db: Database, queued: readonly QueuedMessage[], log: Log): Promise<unknown> {
  const { projectId, store } = queued[0]!.body
  const rows = noRows()
  for (const one of queued) addRows(rows, one.rows)
  let sink: Sink | null = null
  try {
    sink = sinkFor(env, store)
    await sink.write(projectId, rows)
    const tasks = queued.flatMap(({ body }) => body.large.events)
    if (tasks.length > 0) await deleteTasks(db, tasks)
    for (const { message } of queued) message.ack()
    return null
  } catch (error) {
    if (queued.length > 1 && sink?.isAboutRow(error)) {
      // The messages are written one by one, so that a rejected row does not hold back the others.
      for (const one of queued) await write(env, db, [one], log)
      return null
    }
    retry(queued, error, log)
    return isOutage(error) ? error : null
  }
}

/** Whether an error would affect other rows, too. */
const isOutage = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof ClickhouseUnreachable || isTimeout(error)

function retry(queued: readonly Pick<QueuedMessage, 'message' | 'body'>[], error: unknown, log: Log): void {
  log({
    level: 'error',
    message: 'rows were not written to an analytics store',
    error: describeError(error),
    project_id: queued[0]!.body.projectId,
  })
  for (const { message } of queued) message.retry({ delaySeconds: delayAfter(message.attempts) })
}

const delayAfter = (attempts: number): number => Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempts - 1))
