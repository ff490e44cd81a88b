// Reads the files that `npm run openapi` generates. `npm run check` checks that they are current.
import mcp from '../../src/public/mcp.json?raw'
import openapi from '../../src/public/openapi.json?raw'
import type { Tool } from '../../src/mcp/tool'

/** @returns the OpenAPI document; `T` is the part that the test reads */
export const openApi = <T>(): T => JSON.parse(openapi) as T

export const tools: readonly Tool[] = JSON.parse(mcp) as Tool[]
