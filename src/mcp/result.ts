// Converts the response of an operation to the result of its tool.
import { isObject, type UnknownObject } from '../json'
import type { ToolCall } from './tool'

/** The result of a tool: MCP, "CallToolResult". */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: UnknownObject
  isError?: true
}

/** An error of the tool, which a model can read and correct, not of the protocol. */
export const failed = (body: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
  isError: true,
})

/** Wraps values that are not objects in `result`: clients accept objects only. */
export async function resultOf(response: Response, call: ToolCall): Promise<ToolResult> {
  const text = await response.text()
  if (!response.ok) return failed(text || `${response.status} ${response.statusText}`)
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const result = JSON.parse(text) as unknown
  const structured = isObject(result) ? trimmed(result, call.rowFields) : { result }
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
}

/** Limits the rows of a page to some fields. */
function trimmed(result: UnknownObject, fields: readonly string[] | undefined): UnknownObject {
  if (!fields) return result
  const keep = (row: UnknownObject) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return { ...result, results: (result.results as UnknownObject[]).map(keep) }
}
