// The files that `npm run openapi` makes of the operations. `npm run check` holds them up to date.
import mcp from '../../src/public/mcp.json?raw'
import openapi from '../../src/public/openapi.json?raw'
import type { Tool } from '../../src/mcp/tool'

/** @returns the OpenAPI document. `T`: as far as the test reads it */
export const openApi = <T>(): T => JSON.parse(openapi) as T

export const tools: readonly Tool[] = JSON.parse(mcp) as Tool[]
