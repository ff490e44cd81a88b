// What an import remembers of itself, in a file: what it wrote, to know what was edited since, and how far it came with people and events.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Stream } from './model'
import type { Remembered } from './plan'

const FORMAT = 1

/** Where the next page of a stream begins. */
export interface Progress {
  cursor: string | null
  rows: number
  /** Whether its end was reached: a later import begins again, or at the cursor where the stream has only grown. */
  done: boolean
}

export interface ImportState {
  source: string
  target: string
  items: Record<string, Remembered>
  streams: Partial<Record<Stream, Progress>>
}

/** @throws for a file of another import. */
export function readState(file: string, source: string, target: string): ImportState {
  if (!existsSync(file)) return { source, target, items: {}, streams: {} }
  let state: ImportState & { format?: unknown }
  try {
    state = JSON.parse(readFileSync(file, 'utf8')) as ImportState
  } catch {
    throw new Error(
      `${file} is not valid JSON. Without it, the import takes whatever differs for edited here: name another with --state.`,
    )
  }
  if (state.format !== FORMAT || state.source !== source || state.target !== target)
    throw new Error(
      `${file} is of another import (${String(state.source)} to ${String(state.target)}): name another with --state.`,
    )
  return { source, target, items: state.items, streams: state.streams }
}

/** In whole: a command that ends meanwhile leaves the file as it was. */
export function writeState(file: string, state: ImportState): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.tmp`
  writeFileSync(temporary, `${JSON.stringify({ format: FORMAT, ...state })}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}
