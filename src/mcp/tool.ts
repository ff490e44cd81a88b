// What a tool is: what clients are told of it, and the operation that it calls.

type Json = Record<string, unknown>

/** What `tools/list` says (MCP, "Tool"). */
export interface ToolDescription {
  name: string
  title: string
  description: string
  inputSchema: Json
  /** Absent where success has no body. */
  outputSchema?: Json
  annotations: {
    readOnlyHint: boolean
    /** Whether it may take something away; false where it only adds. */
    destructiveHint: boolean
    idempotentHint: boolean
    /** Whether something outside this service is asked. */
    openWorldHint: boolean
  }
}

/** How a tool becomes a request. */
export interface ToolCall {
  method: string
  /** With `:name` for what an argument, or its default, is put in place of. */
  path: string
  /** Arguments that stand in the path, with what counts when they are not sent. */
  inPath: Readonly<Record<string, string | null>>
  /** Arguments that stand in the query. */
  inQuery: readonly string[]
  /** Whether arguments that are named nowhere else are the body; they are refused where they are not. */
  takesBody: boolean
  /** What the body holds, whatever the arguments are. */
  fixed?: Readonly<Json>
  /** What a row of the answer's `results` keeps; everything, unless told. */
  rowFields?: readonly string[]
  /** Whether the answer is no object: then it is what `result` holds. */
  wrapped?: true
}

export interface Tool {
  describes: ToolDescription
  /** What a key must hold to see it: a scope, or `any`. The operation asks again. */
  scope: string
  /** Whether it acts inside a project: keys that are restricted to projects see no others, but for what is about their user. */
  inProject: boolean
  call: ToolCall
}
