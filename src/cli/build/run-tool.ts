// Commands of the tools that the project is built with.
import { execFileSync } from 'node:child_process'

/** Runs a command to its end; returns what it printed. Throws, with its output as `stdout` and `stderr`, when it fails. */
export const run = (command: string, ...args: string[]): string => runWith({}, command, ...args)

/** The same, with more in the environment. */
export const runWith = (env: Record<string, string>, command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    stdio: 'pipe',
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', ...env },
  })
