// The ClickHouse server of a deployment, and how it is asked: over HTTP, with what may be seen in logs apart from what may not.
import { Buffer } from 'node:buffer'
import { boundedText } from '../../bounded-text'

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

/** No ClickHouse server answered, or its answer is not complete. */
export class ClickhouseUnreachable extends Error {
  override readonly name = 'ClickhouseUnreachable'
}

export interface Statement {
  /** In the URL: settings, and whatever else belongs there. */
  search: Readonly<Record<string, string | number>>
  body: BodyInit
  timeoutMs: number
}

/** What the server reports about a statement in `X-ClickHouse-Summary`: final, where the statement has `wait_end_of_query`. */
export interface Summary {
  /** With the rows of materialized views that hang on the table. */
  writtenRows: number
}

export interface Answer {
  summary: Summary
  /**
   * The body, chunk by chunk.
   * @throws ClickhouseUnreachable when the connection ends before the body does; a `TimeoutError` past the statement's time.
   */
  body: AsyncIterable<Uint8Array>
}

/**
 * Sends one statement.
 * @returns the answer of a statement that succeeded.
 * @throws ClickhouseError when the server refuses it; ClickhouseUnreachable when there is no answer, or one that is not a ClickHouse server's:
 * any 200 without a readable `X-ClickHouse-Summary`, which the server sends with every statement; a `TimeoutError` past `timeoutMs`.
 */
export async function ask(
  { url, user, password, database }: ClickhouseServer,
  { search, body, timeoutMs }: Statement,
): Promise<Answer> {
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
  }).catch(unreachable)
  const code = Number(response.headers.get('X-ClickHouse-Exception-Code'))
  if (code) {
    throw new ClickhouseError(code, await kindOf(response), String(search.query_id ?? 'without id'))
  }
  const summary = response.ok ? summaryIn(response.headers) : null
  if (!summary) {
    await response.body?.cancel().catch(() => {})
    throw new ClickhouseUnreachable(
      response.ok
        ? 'answered without X-ClickHouse-Summary: not a ClickHouse server, or a proxy that removes headers'
        : `answered ${response.status}`,
    )
  }
  return { summary, body: chunksOf(response) }
}

function summaryIn(headers: Headers): Summary | null {
  try {
    const { written_rows: written } = JSON.parse(headers.get('X-ClickHouse-Summary') ?? '') as {
      written_rows?: unknown
    }
    const writtenRows = Number(written ?? Number.NaN)
    return Number.isSafeInteger(writtenRows) ? { writtenRows } : null
  } catch {
    return null
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk
  } catch (error) {
    unreachable(error)
  }
}

const unreachable = (error: unknown): never => {
  if (isTimeout(error)) throw error
  throw new ClickhouseUnreachable('no connection', { cause: error })
}

/** Bytes that are read of an error's text. */
const MAX_ERROR_BYTES = 64_000

/** ClickHouse's name for an error: the last word in capitals and parentheses. The number says enough where the text cannot be read. */
async function kindOf(response: Response): Promise<string> {
  const message = await boundedText(response.body, MAX_ERROR_BYTES).catch(() => null)
  return /.*\(([A-Z_]{3,80})\)/s.exec(message ?? '')?.[1] ?? 'UNKNOWN'
}

/** Whether a call ended because its time was up. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
