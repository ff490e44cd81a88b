// How a command of this folder ends: with 0, with 1 and what went wrong, or with 2 when it was called in a way that it does not know.

/** The command was called wrongly. The message says how, in a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Runs it, and sets the exit code. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: Error & { code?: string }) => {
    process.stderr.write(`${error.message}\n`)
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')
    process.exitCode = isUsage ? 2 : 1
  })
}
