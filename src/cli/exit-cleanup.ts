// Cleanup that runs when a command ends: normally, with an error, or by a signal.
import { rmSync, writeFileSync } from 'node:fs'

const cleanups = new Set<() => void>()

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const exitOnSignal = (_: NodeJS.Signals, number: number) => process.exit(128 + number)

/** Runs the remaining cleanups, as the end of the process does. */
export function runCleanups(): void {
  for (const cleanup of cleanups) cleanup()
  cleanups.clear()
  release()
}

/** Gives signals their default action back. */
function release(): void {
  process.off('exit', runCleanups)
  for (const signal of SIGNALS) process.off(signal, exitOnSignal)
}

/**
 * Runs `cleanup` when the process exits, unless the returned function was called before.
 * @returns a function that runs it at once, and only once
 */
export function onExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) {
    process.on('exit', runCleanups)
    for (const signal of SIGNALS) process.on(signal, exitOnSignal)
  }
  cleanups.add(cleanup)
  return () => {
    if (!cleanups.delete(cleanup)) return
    cleanup()
    if (cleanups.size === 0) release()
  }
}

/** Runs with a file that only its owner may read, and deletes it afterwards. */
export async function withTemporaryFile<T>(
  path: string,
  text: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  const remove = onExit(() => rmSync(path, { force: true }))
  try {
    return await use(path)
  } finally {
    remove()
  }
}
