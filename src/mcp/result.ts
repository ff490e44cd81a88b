// From an operation's response to the result of a tool.
import type { ToolCall } from './tool'

type Json = Record<string, unknown>

/** What `tools/call` answers (MCP, "CallToolResult"). */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Json
  isError?: true
}

/** What an operation refused: an error of the tool, which a model can read and mend, and none of the protocol. */
export const failed = (body: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
  isError: true,
})

/** The result for a response. Success that is no object is what `result` holds: clients take objects only. */
export async function resultOf(response: Response, call: ToolCall): Promise<ToolResult> {
  const text = await response.text()
  if (!response.ok) return failed(text || `${response.status} ${response.statusText}`)
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const answer = JSON.parse(text) as unknown
  const structured = call.wrapped ? { result: answer } : trimmed(answer as Json, call.rowFields)
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
}

/** A page whose rows keep some fields only. */
function trimmed(answer: Json, fields: readonly string[] | undefined): Json {
  if (!fields) return answer
  const keep = (row: Json) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return { ...answer, results: (answer.results as Json[]).map(keep) }
}
