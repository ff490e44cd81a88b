// Formats the Worker's log for `npm start`: it shows requests at once, and repeats the same error only after some time.

interface LogEntry {
  level: string
  message: string
  method?: string
  route?: string | null
  path?: string
  status?: number
  duration_ms?: number
  error?: string
}

/** How long the same error is not shown again. */
const REPEAT_AFTER_MS = 600_000

/** How often a step of a trigger may fail before it is shown, because the next minute may succeed. */
const MAX_SILENT_TRIGGER_FAILURES = 3

export interface LogFormatOptions {
  /** Whether people read the log. Programs get the line as the Worker wrote it. */
  isTerminal: boolean
  now?: () => number
}

/** Returns a function that returns the text to show for a line of JSON, or null for nothing. */
export function createLogFormatter({ isTerminal, now = Date.now }: LogFormatOptions) {
  const shownAt = new Map<string, number>()
  const triggerFailures = new Map<string, number>()

  function isShown(text: string): boolean {
    if (text.startsWith('trigger failed')) {
      const failures = (triggerFailures.get(text) ?? 0) + 1
      triggerFailures.set(text, failures)
      if (failures <= MAX_SILENT_TRIGGER_FAILURES) return false
    }
    const shown = shownAt.get(text)
    if (shown !== undefined && now() - shown < REPEAT_AFTER_MS) return false
    shownAt.set(text, now())
    return true
  }

  return (line: string): string | null => {
    const entry = parse(line)
    if (!entry) return null
    if (entry.message === 'request') {
      // The supervisor requests this route.
      if (entry.route === '/health') return null
      return isTerminal ? `${timeOf(now())} ${describeRequest(entry)}` : line
    }
    if (entry.level !== 'error') return isTerminal ? null : line
    const text = [entry.message, firstLineOf(entry)].filter(Boolean).join(': ')
    if (!isShown(text)) return null
    return isTerminal ? `${timeOf(now())} ${text}` : line
  }
}

function parse(line: string): LogEntry | null {
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return null
  }
}

const describeRequest = (entry: LogEntry): string =>
  [
    entry.method?.padEnd(6),
    entry.route ?? entry.path ?? 'unknown route',
    entry.status,
    `${Math.round(entry.duration_ms ?? 0)} ms`,
    firstLineOf(entry),
  ]
    .filter(Boolean)
    .join(' ')

const firstLineOf = ({ error = '' }: LogEntry): string => error.split('\n')[0]!

const timeOf = (timestamp: number): string => new Date(timestamp).toTimeString().slice(0, 8)
