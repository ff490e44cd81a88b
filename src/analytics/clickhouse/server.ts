// The HTTP client of ClickHouse. Its errors contain nothing that must not be logged.
import { Buffer } from 'node:buffer'
import { boundedText } from '../../bounded-text'

export interface ClickhouseServer {
  url: URL
  user: string
  password: string
  /** The database. It is empty before it is created. */
  database: string
}

export type ClickhouseSettings = Partial<
  Pick<Env, 'CLICKHOUSE_URL' | 'CLICKHOUSE_USER' | 'CLICKHOUSE_PASSWORD' | 'CLICKHOUSE_DATABASE'>
>

/** Returns null for a deployment without ClickHouse. */
export function clickhouseOf(env: ClickhouseSettings): ClickhouseServer | null {
  if (!env.CLICKHOUSE_URL) return null
  const url = new URL(env.CLICKHOUSE_URL)
  // Credentials are removed, because errors contain the URL.
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
 * The server rejected the statement, or failed. The server's text contains the statement and personal data, and is therefore not in the
 * message. `system.query_log` has it, under the query id.
 */
export class ClickhouseError extends Error {
  override readonly name = 'ClickhouseError'
  constructor(
    readonly code: number,
    kind: string,
    queryId: string,
  ) {
    super(`${kind} (${code}), query ${queryId}`)
  }
}

/** The server sent no response, or an incomplete one. */
export class ClickhouseUnreachable extends Error {
  override readonly name = 'ClickhouseUnreachable'
}

export interface Statement {
  /** Settings, which are sent in the URL. */
  search: Readonly<Record<string, string | number>>
  body: BodyInit
  timeoutMs: number
}

export interface StatementResponse {
  /**
   * Number of written rows, including those of materialized views. It comes from `X-ClickHouse-Summary`, and is final with
   * `wait_end_of_query`.
   */
  writtenRows: number
  /** @throws ClickhouseUnreachable when the connection ends early; a `TimeoutError` past the timeout */
  body: AsyncIterable<Uint8Array>
}

/**
 * Sends one statement.
 * @throws ClickhouseError when the server rejects it; ClickhouseUnreachable without a response, or without a readable
 * `X-ClickHouse-Summary`, which ClickHouse sends with every statement; a `TimeoutError` past `timeoutMs`
 */
export async function sendStatement(
  { url, user, password, database }: ClickhouseServer,
  { search, body, timeoutMs }: Statement,
): Promise<StatementResponse> {
  const target = new URL(url)
  for (const [name, value] of Object.entries({ ...(database && { database }), ...search })) {
    target.searchParams.set(name, String(value))
  }
  const response = await fetch(target, {
    method: 'POST',
    body,
    headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    // Following a redirect would leak the password.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(unreachable)
  const code = Number(response.headers.get('X-ClickHouse-Exception-Code'))
  if (code) {
    throw new ClickhouseError(code, await kindOf(response), String(search.query_id ?? 'without id'))
  }
  const writtenRows = response.ok ? writtenRowsIn(response.headers) : null
  if (writtenRows === null) {
    await response.body?.cancel().catch(() => {})
    throw new ClickhouseUnreachable(
      response.ok
        ? 'responded without X-ClickHouse-Summary: not a ClickHouse server, or a proxy that removes headers'
        : `responded with ${response.status}`,
    )
  }
  return { writtenRows, body: chunksOf(response) }
}

function writtenRowsIn(headers: Headers): number | null {
  try {
    const { written_rows: written } = JSON.parse(headers.get('X-ClickHouse-Summary') ?? '') as {
      written_rows?: unknown
    }
    const writtenRows = Number(written ?? Number.NaN)
    return Number.isSafeInteger(writtenRows) ? writtenRows : null
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

const MAX_ERROR_BYTES = 64_000

/**
 * Returns ClickHouse's name for an error: the last word in capitals and parentheses. The error has a code as well, so that the name may
 * be missing.
 */
async function kindOf(response: Response): Promise<string> {
  const message = await boundedText(response.body, MAX_ERROR_BYTES).catch(() => null)
  return [...(message ?? '').matchAll(/\(([A-Z_]{3,80})\)/g)].at(-1)?.[1] ?? 'UNKNOWN'
}

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
