const INTERVAL_MS = 2_000

/** A new name under workers.dev takes about a minute to be known everywhere. */
const TIMEOUT_MS = 90_000

/**
 * Requests `/ready` until every part works.
 * @returns null then, or the last problem after the timeout
 */
export async function untilReady(
  url: string,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS } = {},
): Promise<string | null> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const last = await ask(url)
    if (last === null) return null
    if (Date.now() + intervalMs > end) return last
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

async function ask(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) })
    const body = await response.text()
    return isReady(body) ? null : `${response.status} ${body.slice(0, 200)}`
  } catch (error) {
    return ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
  }
}

/**
 * Returns whether every part works. The status does not say it: a service whose shards fail responds with 200, and so do pages of a proxy.
 */
function isReady(body: string): boolean {
  try {
    return (JSON.parse(body) as { status?: string }).status === 'ok'
  } catch {
    return false
  }
}
