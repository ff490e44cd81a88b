import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces a file. A command that ends before the rename, such as one with a full disk, leaves it unchanged.
 * @param mode by default, only its owner may read it
 */
export function writeWhole(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true })
  // A link to a file stays one.
  const target = existsSync(file) ? realpathSync(file) : file
  const temporary = `${target}.tmp`
  try {
    writeFileSync(temporary, text, { mode })
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { force: true })
  }
}
