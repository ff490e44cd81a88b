// The tools, from the file that `npm run openapi` writes.
import type { Tool } from './tool'

let tools: Promise<ReadonlyMap<string, Tool>> | undefined

/** Returns tools by name. They are read once per isolate. */
export function toolsOf(assets: Fetcher): Promise<ReadonlyMap<string, Tool>> {
  return (tools ??= read(assets).catch((error: unknown) => {
    tools = undefined
    throw error
  }))
}

async function read(assets: Fetcher): Promise<ReadonlyMap<string, Tool>> {
  const file = await assets.fetch('https://assets/mcp.json')
  const list = (await file.json()) as Tool[]
  return new Map(list.map((tool) => [tool.describes.name, tool]))
}
