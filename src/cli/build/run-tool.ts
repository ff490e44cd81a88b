import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The most characters that a tool prints. */
const MAX_OUTPUT = 64 * 1024 * 1024

/**
 * Runs a tool and returns its output.
 * @throws Error with `stdout` and `stderr`, when it fails
 */
export const run = (command: string, ...args: string[]): Promise<string> => runWith({}, command, ...args)

export const runWith = async (
  env: Record<string, string>,
  command: string,
  ...args: string[]
): Promise<string> => {
  const { stdout } = await execute(command, args, {
    maxBuffer: MAX_OUTPUT,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', ...env },
  })
  return stdout
}
