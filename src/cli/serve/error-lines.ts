// The Worker's error lines as a developer reads them in the terminal: short, and each error once in a while.

interface ErrorLine {
  message: string
  method?: string
  route?: string | null
  status?: number
  error?: string
}

/** How long the same error is not shown again. */
const REPEAT_AFTER_MS = 600_000

/** How often a step of a trigger fails in silence: the next minute may succeed. */
const MAX_SILENT_TRIGGER_FAILURES = 3

/** A function that returns the text to show for an error line of JSON; null: nothing. */
export function createErrorFormatter(now: () => number = Date.now): (line: string) => string | null {
  const shownAt = new Map<string, number>()
  const triggerFailures = new Map<string, number>()
  return (line) => {
    const text = describe(line)
    if (text === null) return null
    if (text.startsWith('trigger failed')) {
      const failures = (triggerFailures.get(text) ?? 0) + 1
      triggerFailures.set(text, failures)
      if (failures <= MAX_SILENT_TRIGGER_FAILURES) return null
    }
    const shown = shownAt.get(text)
    if (shown !== undefined && now() - shown < REPEAT_AFTER_MS) return null
    shownAt.set(text, now())
    return text
  }
}

function describe(line: string): string | null {
  try {
    const { message, method, route, status, error = '' } = JSON.parse(line) as ErrorLine
    const subject = message === 'request' ? `${method} ${route ?? 'unknown route'}: ${status}` : message
    return [subject, error.split('\n')[0]].filter(Boolean).join(': ')
  } catch {
    return null
  }
}
