// Reads of concurrent requests, in one round trip: D1 runs one statement at a time, and a batch of ten costs about as much as one statement.
//
// A read that finds none under way is sent at once. One that begins while others are under way waits until they end and as many wait as the
// last group had, at most GATHER_MS: callers that read at the same time come back at the same time. All that wait are sent together, after
// their requests have asked for them, so they see all that was committed before.
import { settleWithin } from '../deadline'
import { d1ErrorKind } from './d1-errors'

const GATHER_MS = 10

/** Calls of a group. Each may return a row of 2 MB, and an answer of D1 has at most 32 MiB. */
const MAX_GROUP = 12

/** How long a request waits for another's group, which never ends when that one's client goes away. Then it reads for itself. */
const SENDER_DEADLINE_MS = 400

/** Sends statements that only read. @throws errors of D1. */
export type SendReads = <T>(d1: D1Database, statements: D1PreparedStatement[]) => Promise<D1Result<T>[]>

interface Call {
  statements: D1PreparedStatement[]
  isSent: boolean
  /** Ends its wait for others. */
  wake(): void
  /** With null, the request has to read for itself. */
  resolve(results: D1Result[] | null): void
  reject(error: unknown): void
}

/** Called once per isolate. */
export function createSharedReads(): SendReads {
  let waiting: Call[] = []
  /** Calls in the last group. */
  let lastSize = 1
  /** Identifies the last group until it ends. */
  let underWay: object | null = null

  const isDue = () => underWay === null && waiting.length >= lastSize

  async function send<T>(
    d1: D1Database,
    statements: D1PreparedStatement[],
    size: number,
  ): Promise<D1Result<T>[]> {
    const group = {}
    underWay = group
    lastSize = size
    try {
      return await d1.batch<T>(statements)
    } finally {
      if (underWay === group) underWay = null
      if (isDue()) waiting[0]?.wake()
    }
  }

  async function sendGroup(d1: D1Database): Promise<void> {
    const group = waiting.slice(0, MAX_GROUP)
    waiting = waiting.slice(MAX_GROUP)
    for (const call of group) call.isSent = true
    try {
      const statements = group.flatMap((call) => call.statements)
      const results = await send(d1, statements, group.length)
      for (const { statements: own, resolve } of group) resolve(results.splice(0, own.length))
    } catch (error) {
      const isOfAll = group.length === 1 || ['connection', 'overloaded'].includes(d1ErrorKind(error))
      for (const { resolve, reject } of group) {
        if (isOfAll) reject(error)
        else resolve(null)
      }
    }
  }

  return async function sendShared<T>(d1: D1Database, statements: D1PreparedStatement[]) {
    if (underWay === null && lastSize === 1 && waiting.length === 0) return send<T>(d1, statements, 1)
    const gathered = Promise.withResolvers<void>()
    const { promise, resolve, reject } = Promise.withResolvers<D1Result[] | null>()
    const call: Call = { statements, isSent: false, wake: gathered.resolve, resolve, reject }
    // It may be rejected before it is awaited.
    promise.catch(() => undefined)
    waiting.push(call)
    if (isDue()) gathered.resolve()
    await settleWithin(gathered.promise, GATHER_MS)
    while (!call.isSent) await sendGroup(d1)
    const timer = setTimeout(() => resolve(null), SENDER_DEADLINE_MS)
    const results = await promise.finally(() => clearTimeout(timer))
    return (results as D1Result<T>[] | null) ?? d1.batch<T>(statements)
  }
}
