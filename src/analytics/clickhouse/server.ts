// The ClickHouse server of a deployment, and how it is asked: over HTTP, with what may be seen in logs apart from what may not.
import { Buffer } from 'node:buffer'

export interface ClickhouseServer {
  url: URL
  user: string
  password: string
  /** Empty: none yet. */
  database: string
}

export type ClickhouseSettings = Partial<
  Pick<Env, 'CLICKHOUSE_URL' | 'CLICKHOUSE_USER' | 'CLICKHOUSE_PASSWORD' | 'CLICKHOUSE_DATABASE'>
>

/** The server that the environment names; null where there is none, and the embedded database is all. */
export function clickhouseOf(env: ClickhouseSettings): ClickhouseServer | null {
  if (!env.CLICKHOUSE_URL) return null
  const url = new URL(env.CLICKHOUSE_URL)
  // What stands in the address would come up in errors about it.
  url.username = ''
  url.password = ''
  return {
    url,
    user: env.CLICKHOUSE_USER || 'default',
    password: env.CLICKHOUSE_PASSWORD ?? '',
    database: env.CLICKHOUSE_DATABASE || 'default',
  }
}

/**
 * The server took the statement and refused it, or failed over it. What the server says of it has the statement in it, and people's data;
 * its own `system.query_log` tells the rest, under the id.
 */
export class ClickhouseError extends Error {
  override readonly name = 'ClickhouseError'
  constructor(
    /** ClickHouse's number for what went wrong. */
    readonly code: number,
    kind: string,
    queryId: string,
  ) {
    super(`${kind} (${code}), query ${queryId}`)
  }
}

/** Nobody answered who is a ClickHouse server, or not in time. */
export class ClickhouseUnreachable extends Error {
  override readonly name = 'ClickhouseUnreachable'
}

export interface Statement {
  /** In the URL: settings, and whatever else belongs there. */
  search: Readonly<Record<string, string | number>>
  body: BodyInit
  timeoutMs: number
}

/**
 * Sends one statement.
 * @returns the answer of a statement that succeeded.
 * @throws ClickhouseError when the server refuses it, ClickhouseUnreachable when there is no such answer; a `TimeoutError` past `timeoutMs`.
 */
export async function ask(
  { url, user, password, database }: ClickhouseServer,
  { search, body, timeoutMs }: Statement,
): Promise<Response> {
  const target = new URL(url)
  for (const [name, value] of Object.entries({ ...(database && { database }), ...search })) {
    target.searchParams.set(name, String(value))
  }
  const response = await fetch(target, {
    method: 'POST',
    body,
    headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    // A redirect would take the password elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    if (isTimeout(error)) throw error
    throw new ClickhouseUnreachable('no connection', { cause: error })
  })
  if (response.ok) return response
  const code = Number(response.headers.get('X-ClickHouse-Exception-Code'))
  const message = await response.text()
  if (code) throw new ClickhouseError(code, kindIn(message), String(search.query_id ?? 'without id'))
  throw new ClickhouseUnreachable(`answered ${response.status}`)
}

/** ClickHouse's name for an error: the last word in capitals and parentheses. */
const kindIn = (message: string): string => /.*\(([A-Z_]{3,80})\)/s.exec(message)?.[1] ?? 'UNKNOWN'

/** Whether a call ended because its time was up. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
