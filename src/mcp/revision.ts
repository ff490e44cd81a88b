// The MCP revision of a message. Requests of the current one name it in `_meta` and in headers, which have to agree; clients of the one before
// begin with `initialize`. Both are stateless here, and have the same methods.
import { CODES, type Message, RpcError } from './message'

export const CURRENT_REVISION = '2026-07-28'
export const PREVIOUS_REVISION = '2025-11-25'
export const REVISIONS: readonly string[] = [CURRENT_REVISION, PREVIOUS_REVISION]

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** @throws RpcError with HTTP 400 for an unsupported revision, or headers that contradict the body */
export function revisionOf({ method, params, id }: Message, headers: Headers): string {
  const header = headers.get('MCP-Protocol-Version')
  const claimed = params?._meta?.[VERSION]
  if (claimed === undefined) {
    if (header === CURRENT_REVISION) throw badParams(`Missing _meta field: ${VERSION}`)
    if (header !== null && method !== 'initialize') requireServed(header)
    return PREVIOUS_REVISION
  }
  if (typeof claimed !== 'string') throw badParams(`Not a string: _meta field ${VERSION}`)
  requireServed(claimed)
  if (header !== null && header !== claimed) throw mismatch('MCP-Protocol-Version', header, claimed)
  if (claimed === CURRENT_REVISION && id !== undefined) requireEnvelope({ method, params }, headers)
  return claimed
}

/** Checks the members that a request of the current revision must have. */
function requireEnvelope(
  { method, params = {} }: Pick<Message, 'method' | 'params'>,
  headers: Headers,
): void {
  const capabilities = params._meta?.[CAPABILITIES]
  if (typeof capabilities !== 'object' || capabilities === null) {
    throw badParams(`Missing _meta field: ${CAPABILITIES}`)
  }
  requireHeader(headers, 'MCP-Protocol-Version', CURRENT_REVISION)
  requireHeader(headers, 'Mcp-Method', method)
  if (method === 'tools/call' && typeof params.name === 'string') {
    requireHeader(headers, 'Mcp-Name', params.name)
  }
}

function requireHeader(headers: Headers, name: string, body: string): void {
  const value = headers.get(name)?.trim() ?? null
  if (value === null || decoded(value) !== body) throw mismatch(name, value, body)
}

/** Decodes a header, in which values that are not ASCII are encoded as `=?base64?…?=`. */
function decoded(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value) ?? []
  if (encoded === undefined) return value
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)))
  } catch {
    return value
  }
}

function requireServed(revision: string): void {
  if (REVISIONS.includes(revision)) return
  throw new RpcError(CODES.unsupportedVersion, `Unsupported protocol version: ${revision}`, 400, {
    supported: REVISIONS,
    requested: revision,
  })
}

const badParams = (message: string) => new RpcError(CODES.invalidParams, message, 400)

const mismatch = (name: string, header: string | null, body: string) =>
  new RpcError(
    CODES.headerMismatch,
    `The header ${name} has ${header === null ? 'no value' : JSON.stringify(header)}, the body ${JSON.stringify(body)}`,
    400,
  )
