// The first and the last line of a test run, and the files that take long.
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** A run of fewer files is not the whole of `npm test`. */
const MIN_FILES = 300

/** A file that takes longer is named: code that blocks its process has no timeout, and no other output. */
const MAX_FILE_MS = 240_000

export default class FirstAndLastLine implements Reporter {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  onTestRunStart(files: readonly TestSpecification[]): void {
    const duration = files.length < MIN_FILES ? '' : ', about twelve minutes on two cores'
    process.stdout.write(`Running ${files.length} test files in workerd and in Node${duration}.\n`)
  }

  onTestModuleStart({ id, relativeModuleId }: TestModule): void {
    const report = () => process.stdout.write(`\n${relativeModuleId} still runs.\n`)
    this.#timers.set(id, setTimeout(report, MAX_FILE_MS).unref())
  }

  onTestModuleEnd({ id }: TestModule): void {
    clearTimeout(this.#timers.get(id))
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((each) => [...each.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((each) => each === state).length
    // A file that cannot even be loaded has no tests to fail.
    const broken = modules.filter(
      (each) => each.state() === 'failed' && [...each.children.allTests()].length === 0,
    )
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken.length} failed, ${count('skipped')} skipped\n`,
    )
  }
}
