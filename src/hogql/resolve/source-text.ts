// The text that a part of the tree was parsed from.
import type { Located } from '../parser/ast'
import type { Resolution } from './context'

/** As it is written; empty for what stands nowhere in the text. */
export function textOf(r: Resolution, { start, end }: Located): string {
  return start === null || end === null ? '' : r.context.sql.slice(start, end)
}

/**
 * The same between two parts of it, without quotes and comments: where the parser leaves words out of the tree, they are found here.
 */
export function wordsBetween(r: Resolution, from: number | null, to: number | null): string {
  if (from === null || to === null) return ''
  return r.context.sql
    .slice(from, to)
    .replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
}
