// Prints the progress of an import.
import type { ImportEvent } from '../../import/run'
import { STREAM_TITLES } from '../../import/model'
import { createProgress, duration, type Progress } from './progress'
import { checkReport, listed, reportOf } from './report'

/** The most reasons for rejected rows of a stream that are printed; further ones are counted. */
const MAX_REFUSALS = 20

const TITLES = { ...STREAM_TITLES, write: 'Writing', check: 'Checking' }

/** @param say prints a text */
export function printer(say: (text: string) => void): (event: ImportEvent) => void {
  let progress: (Progress & { of: string }) | null = null
  let hasMoved = false
  return (event) => {
    if (event.kind === 'progress') {
      if (progress?.of !== event.of) {
        progress?.end()
        progress = { ...createProgress(TITLES[event.of]), of: event.of }
      }
      // Writing takes seconds, so that its progress is shown on a terminal only.
      if (event.of !== 'write' || process.stdout.isTTY) progress.show(event.done, event.total)
      return
    }
    progress?.end()
    progress = null
    if (event.kind === 'plan' && hasMoved) say('\n')
    hasMoved ||= event.kind === 'moved'
    say(linesOf(event))
  }
}

function linesOf(event: Exclude<ImportEvent, { kind: 'progress' }>): string {
  switch (event.kind) {
    case 'remarks':
      return event.remarks.map((remark) => `${remark}\n`).join('')
    case 'moved': {
      const refusals = event.refusals.slice(0, MAX_REFUSALS)
      return (
        `${STREAM_TITLES[event.stream]}: ${event.rows} moved.\n` +
        refusals.map(({ detail, times }) => `  ${times} refused: ${detail}\n`).join('')
      )
    }
    case 'plan':
      return `${reportOf(event.steps).join('\n')}\n`
    case 'estimate': {
      const { stream, rows, ms } = event
      const count = rows === null ? 'an unknown number' : rows.toLocaleString('en-US')
      return `${STREAM_TITLES[stream]}: ${count}${ms === null ? '' : `, about ${duration(ms)}`}\n`
    }
    case 'written':
      return (
        `\n${event.count} written.\n` +
        event.problems.map(({ step, problem }) => `${step.item.key}: ${problem}\n`).join('')
      )
    case 'checked': {
      const { result, incomparable, kept } = event
      const keysOf = (steps: typeof kept) => listed(steps.map(({ item }) => item.key))
      return [
        ...checkReport(result),
        ...(incomparable.length > 0
          ? [`Not compared: ${keysOf(incomparable)}: ${incomparable[0]!.item.incomparable}`]
          : []),
        ...(kept.length > 0 ? [`Kept as here, and checked with the others: ${keysOf(kept)}`] : []),
        '',
      ].join('\n')
    }
  }
}
