// Ends the runtime when the command is killed, which leaves the command itself no time to do that.
import { spawn } from 'node:child_process'

/** Its input closes when the command ends, however that happens. Then it ends the process that it was told last, if that one still runs. */
const SCRIPT = 'pid=; while read -r next; do pid=$next; done; test -n "$pid" && kill -9 "$pid"'

/** @returns names the process that has to end with this one; null: none. */
export function startGuard(): (pid: number | null) => void {
  // The guard has its own process group, so that a signal that ends the command's group, such as Ctrl-C, does not end it first.
  const guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  return (pid) => guard.stdin.write(`${pid ?? ''}\n`)
}
