// Prints the first and the last line of a test run, the files that take long, and after `npm run test:all` the slowest ones.
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** The number of files below which a run is not the whole of `npm test`. */
const MIN_FILES = 200

/** The number of slowest files that are named at the end. */
const SLOWEST_FILES = Number(process.env.SLOWEST_FILES || 0)

/** The time after which a file is named, because code that blocks its process has no timeout, and no other output. */
const MAX_FILE_MS = 240_000

/** The time without the end of a test after which a run is ended, with a list of what ran. */
const MAX_SILENCE_MS = 600_000

export default class FirstAndLastLine implements Reporter {
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #running = new Set<string>()
  #silence: NodeJS.Timeout | undefined

  onTestRunStart(files: readonly TestSpecification[]): void {
    const time = SLOWEST_FILES > 0 ? 'twelve minutes' : 'five minutes'
    const duration = files.length < MIN_FILES ? '' : `, about ${time} on two cores`
    process.stdout.write(`Running ${files.length} test files in workerd and in Node${duration}.\n`)
    this.#hear()
  }

  onTestCaseResult(): void {
    this.#hear()
  }

  onTestModuleStart({ id, relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId)
    const report = () => process.stdout.write(`\n${relativeModuleId} still runs.\n`)
    this.#timers.set(id, setTimeout(report, MAX_FILE_MS).unref())
  }

  onTestModuleEnd({ id, relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId)
    clearTimeout(this.#timers.get(id))
    this.#hear()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearTimeout(this.#silence)
    const states = modules.flatMap((each) => [...each.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((each) => each === state).length
    // A file that cannot be loaded has no tests to fail.
    const broken = modules.filter(
      (each) => each.state() === 'failed' && [...each.children.allTests()].length === 0,
    )
    if (SLOWEST_FILES > 0) process.stdout.write(`\nThe slowest files, in seconds:\n${slowest(modules)}`)
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken.length} failed, ${count('skipped')} skipped\n`,
    )
  }

  #hear(): void {
    clearTimeout(this.#silence)
    const end = () => {
      const running = [...this.#running].join(', ') || 'none'
      process.stdout.write(
        `\nNo test has ended for ${MAX_SILENCE_MS / 60_000} minutes. Files that run: ${running}.\n`,
      )
      process.exit(1)
    }
    this.#silence = setTimeout(end, MAX_SILENCE_MS).unref()
  }
}

/** The duration, with hooks, set-up and the loading of modules. */
function secondsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return (duration + collectDuration + setupDuration) / 1_000
}

const slowest = (modules: readonly TestModule[]): string =>
  modules
    .map((module) => ({
      seconds: secondsOf(module),
      name: `${module.project.name} ${module.relativeModuleId}`,
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES)
    .map(({ seconds, name }) => `${seconds.toFixed(1).padStart(7)}  ${name}\n`)
    .join('')
