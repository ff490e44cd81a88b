// How a command of this folder ends: with 0, with 1 and what went wrong, or with 2 when it was called in a way that it does not know.

/** Runs it, and sets the exit code. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error: Error & { code?: string }) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
  })
}
