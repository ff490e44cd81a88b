// Ends the runtime when the command is killed, because the command itself then has no time for it.
import { spawn } from 'node:child_process'

/**
 * A shell script that ends the last process id that it has read, if that process still runs. Its input closes when the command ends,
 * however that happens.
 */
const SCRIPT = 'pid=; while read -r next; do pid=$next; done; test -n "$pid" && kill -9 "$pid"'

/** @returns a function that sets the process that has to end with this one, or null for none */
export function startGuard(): (pid: number | null) => void {
  // The guard has its own process group, so that a signal that ends the command's group, such as Ctrl-C, does not end it first.
  const guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  return (pid) => guard.stdin.write(`${pid ?? ''}\n`)
}
