import { exec } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(exec)

/**
 * Runs a command line of the shell, and returns its output.
 * @throws Error with `stdout` and `stderr`, when it fails
 */
export async function run(line: string): Promise<string> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' }
  return (await execute(line, { env })).stdout
}
