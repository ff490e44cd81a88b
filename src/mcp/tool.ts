// A tool: its description for clients, and the operation that it calls.
import type { UnknownObject } from '../json'

/** A tool: MCP, "Tool". */
export interface ToolDescription {
  name: string
  description: string
  inputSchema: UnknownObject
  annotations: {
    /** Whether the tool only reads. The next two hints then have no meaning. */
    readOnlyHint?: true
    /** Whether the tool may destroy data. It is false for a tool that only adds. */
    destructiveHint?: boolean
    idempotentHint?: boolean
    /** Whether the tool calls another service. */
    openWorldHint: boolean
  }
}

export interface ToolCall {
  method: string
  /** The path, with `:name` for arguments. */
  path: string
  /** Path arguments with their defaults. */
  inPath: Readonly<Record<string, string | null>>
  inQuery: readonly string[]
  /** Whether all other arguments are the body; otherwise they are errors. */
  takesBody: boolean
  /** Members of the body that arguments cannot change. */
  fixed?: Readonly<UnknownObject>
  /** The fields of each row of `results`; by default all. */
  rowFields?: readonly string[]
  /** The hint of a 404, which may not be about the arguments of the path. */
  notFound?: string
}

export interface Tool {
  describes: ToolDescription
  /** The scope that a key needs, or `any`. The operation checks it again. */
  scope: string
  /** Whether the tool acts inside a project. Keys that are restricted to projects have no other tools, except those about their user. */
  inProject: boolean
  call: ToolCall
}
