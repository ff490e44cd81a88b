// From a request that reads `{{flag}}` to one that can be sent.
import type { SentBody } from './requests/bodies'
import type { Documented } from './requests/document'
import type { FuzzRequest } from './requests/request'
import type { Piece } from './requests/segments'

/** Tells what a placeholder stands for. */
export type Say = (name: string) => Promise<unknown>

async function replaced(text: string, pattern: RegExp, by: (match: RegExpExecArray) => Promise<string>) {
  const parts: string[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), await by(match))
    end = match.index + match[0].length
  }
  return parts.join('') + text.slice(end)
}

const PLACEHOLDER = /\{\{([a-z_]+(?:[.:][a-z_]+)*)\}\}/g
/** A whole string of JSON that is a placeholder, or what stands verbatim. As a member's name it stays a string. */
const IN_JSON = /"\{\{(=[^"{}]*|[a-z_]+(?:[.:][a-z_]+)*)\}\}"(\s*:)?/g

/** Text with its placeholders filled in. */
const inText = (text: string, say: Say) =>
  replaced(text, PLACEHOLDER, async ([, name = '']) => String(await say(name)))

/** JSON text, where a string that is a placeholder becomes a value of its own type. */
async function inJson(text: string, say: Say): Promise<string> {
  const values = await replaced(text, IN_JSON, async ([, name = '', colon = '']) => {
    if (name.startsWith('=')) return `${name.slice(1)}${colon}`
    const value = await say(name)
    return colon ? `${JSON.stringify(String(value))}${colon}` : JSON.stringify(value)
  })
  return inText(values, say)
}

/** The same for each of several texts. */
export async function inTexts(texts: Record<string, string>, say: Say): Promise<Record<string, string>> {
  const entries: [string, string][] = []
  for (const [name, text] of Object.entries(texts)) entries.push([name, await inText(text, say)])
  return Object.fromEntries(entries)
}

/** Path and query of a request. */
export async function pathOf({ path }: Documented, request: FuzzRequest, say: Say): Promise<string> {
  const encoded = async (piece: Piece) =>
    typeof piece === 'string'
      ? encodeURIComponent((await inText(piece, say)).toWellFormed()).replace('%40', '@')
      : piece.raw
  const filled = await replaced(path, /\{(\w+)\}/g, ([, name = '']) => encoded(request.path[name]!))
  const pieces: string[] = []
  for (const piece of request.query) {
    pieces.push('raw' in piece ? piece.raw : `${encodeURIComponent(piece[0])}=${await encoded(piece[1])}`)
  }
  return pieces.length === 0 ? filled : `${filled}?${pieces.join('&')}`
}

/** A body, as text and as bytes. */
export async function bodyOf(body: SentBody, say: Say) {
  const text = body.binary ? body.text : await inJson(body.text, say)
  const bytes = body.binary
    ? Uint8Array.from(text, (char) => char.charCodeAt(0))
    : new TextEncoder().encode(text)
  return { type: body.type, text, bytes }
}
