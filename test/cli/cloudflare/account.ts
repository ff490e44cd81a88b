// What a Cloudflare account holds, and how its API says that something is not so.
import type { IncomingMessage } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'

export interface Binding {
  type: string
  name: string
  [more: string]: unknown
}

export interface DeployedWorker {
  bindings: Binding[]
  /** With their values, which Cloudflare never shows again. */
  secrets: Record<string, string>
  migrationTag: string | undefined
  crons: string[]
}

export interface Queue {
  name: string
  consumers: Record<string, unknown>[]
}

/** Everything by its id; Workers by their names. */
export interface Account {
  subdomain: string | null
  databases: Map<string, { name: string; sql: DatabaseSync }>
  namespaces: Map<string, string>
  queues: Map<string, Queue>
  workers: Map<string, DeployedWorker>
  /** What was changed, in its order. */
  changes: string[]
}

export interface Call {
  search: URLSearchParams
  request: IncomingMessage
  body: Buffer
  /** What the path's pattern caught. */
  parts: string[]
}

export type Route = [method: string, path: RegExp, answer: (call: Call) => unknown]

/** Becomes an error of the API. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** A list that comes in pages. */
export class Page {
  constructor(readonly rows: unknown[]) {}
}

let count = 0
/** An id that tells what it is of. */
export const newId = (kind: string) => `${kind}-${(count += 1)}`

export const json = <T>({ body }: Call): T => JSON.parse(String(body)) as T
