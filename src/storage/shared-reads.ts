// Reads of concurrent requests, in one round trip: D1 runs one statement at a time, and a batch of ten costs about as much as one statement.
//
// A read that finds none under way is sent at once. One that begins while another is under way waits for its end, at most GATHER_MS, and goes
// out together with those that wait too. It is sent after its request has asked for it, so it sees all that was committed before.
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
  /** With null, the request has to read for itself. */
  resolve(results: D1Result[] | null): void
  reject(error: unknown): void
}

/** Called once per isolate. */
export function createSharedReads(): SendReads {
  let waiting: Call[] = []
  /** Resolves at the end of the last group. */
  let underWay: Promise<void> | null = null

  async function send<T>(d1: D1Database, statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    underWay = promise
    try {
      return await d1.batch<T>(statements)
    } finally {
      if (underWay === promise) underWay = null
      resolve()
    }
  }

  async function sendGroup(d1: D1Database): Promise<void> {
    const group = waiting.slice(0, MAX_GROUP)
    waiting = waiting.slice(MAX_GROUP)
    for (const call of group) call.isSent = true
    try {
      const statements = group.flatMap((call) => call.statements)
      const results = await send(d1, statements)
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
    if (underWay === null) return send<T>(d1, statements)
    const { promise, resolve, reject } = Promise.withResolvers<D1Result[] | null>()
    const call: Call = { statements, isSent: false, resolve, reject }
    waiting.push(call)
    await settleWithin(underWay, GATHER_MS)
    while (!call.isSent) await sendGroup(d1)
    const timer = setTimeout(() => resolve(null), SENDER_DEADLINE_MS)
    const results = await promise.finally(() => clearTimeout(timer))
    return (results as D1Result<T>[] | null) ?? d1.batch<T>(statements)
  }
}
