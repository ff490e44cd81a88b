// A tool: its description for clients, and the operation that it calls.
import type { UnknownObject } from '../json'

/** A tool: MCP, "Tool". */
export interface ToolDescription {
  name: string
  description: string
  inputSchema: UnknownObject
  annotations: {
    /** Then the next two have no meaning. */
    readOnlyHint?: true
    /** Whether the tool may destroy data. It is false for a tool that only adds. */
    destructiveHint?: boolean
    idempotentHint?: boolean
    /** Whether it calls another service. */
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
  /** Fields of each row of `results`; default all. */
  rowFields?: readonly string[]
}

export interface Tool {
  describes: ToolDescription
  /** The scope that a key needs, or `any`. The operation checks it again. */
  scope: string
  /** Whether it acts inside a project. Keys that are restricted to projects have no other tools, except those about their user. */
  inProject: boolean
  call: ToolCall
}
