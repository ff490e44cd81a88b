// The Worker's log as `npm start` shows it.
import { describe, expect, it } from 'vitest'
import { createLogFormatter } from '../../../src/cli/serve/log-format'

const line = (fields: object) => JSON.stringify({ level: 'error', ...fields })

const request = (fields: object) =>
  line({
    level: 'info',
    message: 'request',
    method: 'GET',
    route: '/flags/:id/',
    status: 200,
    duration_ms: 12.4,
    ...fields,
  })

const noon = () => new Date(2026, 2, 10, 12).getTime()

describe('requests', () => {
  it('are a short line each in a terminal', () => {
    const format = createLogFormatter({ isTerminal: true, now: noon })
    expect(format(request({}))).toBe('12:00:00 GET    /flags/:id/ 200 12 ms')
    expect(format(request({ method: 'DELETE', route: null, status: 404 }))).toBe(
      '12:00:00 DELETE unknown route 404 12 ms',
    )
    const failed = request({ level: 'error', status: 500, error: 'Error: no\n  at here' })
    expect([format(failed), format(failed)]).toEqual(
      Array(2).fill('12:00:00 GET    /flags/:id/ 500 12 ms Error: no'),
    )
  })

  it('are JSON elsewhere', () => {
    expect(createLogFormatter({ isTerminal: false })(request({}))).toBe(request({}))
  })

  it('leaves out the probes of the supervisor', () => {
    for (const isTerminal of [true, false]) {
      expect(createLogFormatter({ isTerminal })(request({ route: '/health' }))).toBeNull()
    }
  })
})

describe('errors', () => {
  it('are shown in one line, the same one once in ten minutes', () => {
    let now = noon()
    const format = createLogFormatter({ isTerminal: true, now: () => now })
    const failed = line({ message: 'a build failed', error: 'Error: no\n  at here' })
    expect(format(failed)).toBe('12:00:00 a build failed: Error: no')
    expect(format(failed)).toBeNull()
    now += 600_000
    expect(format(failed)).toBe('12:10:00 a build failed: Error: no')
    expect(format('{"level":"error"')).toBeNull()
  })

  it('of triggers are shown when they persist', () => {
    const failed = line({ message: 'trigger failed: outbox', error: 'Error: no' })
    for (const [isTerminal, shown] of [
      [true, '12:00:00 trigger failed: outbox: Error: no'],
      [false, failed],
    ] as const) {
      const format = createLogFormatter({ isTerminal, now: noon })
      expect(Array.from({ length: 5 }, () => format(failed))).toEqual([null, null, null, shown, null])
    }
  })
})
