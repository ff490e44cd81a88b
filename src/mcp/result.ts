// Converts the response of an operation to the result of its tool.
import { isObject, type UnknownObject } from '../json'
import type { ToolCall } from './tool'

/** The result of a tool: MCP, "CallToolResult". */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: UnknownObject
  isError?: true
}

/** Returns an error of the tool, not of the protocol, so that a model can read it and correct the call. */
export const failed = (body: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) }],
  isError: true,
})

/** Converts a response. A value that is not an object becomes the member `result`, because clients accept objects only. */
export async function resultOf(response: Response, call: ToolCall): Promise<ToolResult> {
  const text = await response.text()
  if (!response.ok) return failed(text || `${response.status} ${response.statusText}`)
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const result = JSON.parse(text) as unknown
  const structured = isObject(result) ? trimmed(result, call.rowFields) : { result }
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
}

/** Removes all but some fields from the rows of a page. */
function trimmed(result: UnknownObject, fields: readonly string[] | undefined): UnknownObject {
  if (!fields) return result
  const keep = (row: UnknownObject) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return { ...result, results: (result.results as UnknownObject[]).map(keep) }
}
