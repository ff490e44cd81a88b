// The last line of a test run, in words that any reader of logs understands.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
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
