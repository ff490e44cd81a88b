// What has to be undone when a command ends, however it ends: by itself, with an error, or because somebody interrupts it.
import { rmSync, writeFileSync } from 'node:fs'

const undoings = new Set<() => void>()

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The exit code of a process that a signal ended. */
const leave = (_: NodeJS.Signals, number: number) => process.exit(128 + number)

function undoAll(): void {
  for (const undo of undoings) undo()
}

/**
 * Has something undone when the process leaves before the returned function was called.
 * @returns undoes it now, once.
 */
export function whenLeaving(undo: () => void): () => void {
  if (undoings.size === 0) {
    process.on('exit', undoAll)
    for (const signal of SIGNALS) process.on(signal, leave)
  }
  undoings.add(undo)
  return () => {
    if (!undoings.delete(undo)) return
    undo()
    if (undoings.size > 0) return
    // Whoever has nothing to undo keeps to the signals' own ways.
    process.off('exit', undoAll)
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}

/** Runs with a file that only its owner may read, and that is gone afterwards. */
export async function withFile<T>(path: string, text: string, use: (path: string) => Promise<T>): Promise<T> {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  const remove = whenLeaving(() => rmSync(path, { force: true }))
  try {
    return await use(path)
  } finally {
    remove()
  }
}
