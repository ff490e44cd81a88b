// Stores the memory of an import in a file.
import { existsSync, readFileSync } from 'node:fs'
import type { ImportState, Memory } from '../../import/memory'
import { writeWhole } from '../write-whole'

const FORMAT = 1

/**
 * @param source, target identify the import
 * @throws for a file of another import
 */
export function fileMemory(file: string, source: string, target: string): Memory {
  const { items, streams } = readState(file, source, target)
  const save = () =>
    writeWhole(file, `${JSON.stringify({ format: FORMAT, source, target, items, streams })}\n`)
  return {
    items,
    streams,
    rememberItems(remembered) {
      Object.assign(items, remembered)
      save()
    },
    rememberStream(stream, progress) {
      streams[stream] = progress
      save()
    },
  }
}

function readState(file: string, source: string, target: string): ImportState {
  if (!existsSync(file)) return { items: {}, streams: {} }
  let state: ImportState & { format?: unknown; source?: unknown; target?: unknown }
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
  return state
}
