import { execFileSync } from 'node:child_process'

/** Runs a tool and returns its output. @throws Error with `stdout` and `stderr`, when it fails. */
export const run = (command: string, ...args: string[]): string => runWith({}, command, ...args)

export const runWith = (env: Record<string, string>, command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    stdio: 'pipe',
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', ...env },
  })
