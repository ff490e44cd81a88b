// Shows the progress of long work: as a bar on a terminal, and otherwise as a few lines.

const WIDTH = 24
/** Lines of progress when the output is no terminal. */
const PARTS = 10

export interface Progress {
  /** @param of the total, or null while it is unknown */
  show(done: number, of: number | null): void
  end(): void
}

export function createProgress(title: string): Progress {
  const output = process.stdout
  const begun = Date.now()
  let shown = 0
  let isOpen = false
  return {
    show(done, of) {
      const line = progressLine(title, done, of, Date.now() - begun)
      if (output.isTTY) {
        output.write(`\r${line}\u001B[K`)
        isOpen = true
        return
      }
      const part = of ? Math.floor((done / of) * PARTS) : Math.floor(Math.log2(done + 1))
      if (part > shown) output.write(`${line}\n`)
      shown = part
    },
    end() {
      if (isOpen) output.write('\n')
      isOpen = false
    },
  }
}

/** Returns a line such as `Persons: [####    ] 500 of 1,000, 3 s left`. */
export function progressLine(title: string, done: number, of: number | null, elapsedMs: number): string {
  const count = done.toLocaleString('en-US')
  if (!of) return `${title}: ${count}`
  const share = Math.min(done / of, 1)
  const filled = Math.round(share * WIDTH)
  const left = done > 0 && done < of ? `, about ${duration((elapsedMs / done) * (of - done))} left` : ''
  return `${title}: [${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${count} of ${of.toLocaleString('en-US')}${left}`
}

/** Writes a duration in the largest fitting unit, rounded up. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
