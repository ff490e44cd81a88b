// Reads a line of the run log. The function is pure.

export interface RunLine {
  isOk: boolean
  durationMs: number | null
  rows: number | null
  version: number | null
  isCached: boolean
  isMaterialized: boolean
  /** The reason why a run failed, or null. */
  reason: string | null
}

const numberIn = (message: string, key: string): number | null => {
  const start = `${key}=`
  const word = message.split(' ').find((each) => each.startsWith(start))
  const [digits] = /^\d+\b/.exec(word?.slice(start.length) ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

export function parseRunMessage(level: string, message: string): RunLine {
  // The caller's name of the run comes last, and may be any text.
  const own = message.split(' client_query_id=')[0]!
  return {
    isOk: level !== 'ERROR',
    durationMs: numberIn(own, 'duration_ms'),
    rows: numberIn(own, 'rows'),
    version: numberIn(own, 'version'),
    isCached: / cache=hit\b/.test(own),
    isMaterialized: / path=materialized(?![_\w])/.test(own),
    reason:
      level === 'ERROR'
        ? (/ error=(\S+)/.exec(own)?.[1]?.replaceAll('_', ' ') ?? own.split(' · ').slice(2).join(' · '))
        : null,
  }
}
