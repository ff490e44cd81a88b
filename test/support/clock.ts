// A clock that stands still until a test moves it.
import type { Clock } from '../../src/clock'

export interface TestClock extends Clock {
  advance(span: {
    days?: number
    hours?: number
    minutes?: number
    seconds?: number
    milliseconds?: number
  }): void
}

export function testClock(start = '2026-03-10T12:00:00Z'): TestClock {
  let at = Date.parse(start)
  return {
    now: () => new Date(at),
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }) {
      at += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    },
  }
}
