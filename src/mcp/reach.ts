// Which tools a key opens, and what follows for them where it is restricted to projects.
import type { ApiKeyActor } from '../auth/actor'
import { holds, isAboutUser, type Scope } from '../auth/scopes'
import { failed, type ToolResult } from './result'
import type { Tool, ToolDescription } from './tool'

type Json = Record<string, unknown>

/** What a key has to do with tools. */
export type Reach = Pick<ApiKeyActor, 'scopes' | 'scopedTeams'>

/** Whether a key opens a tool, as `authorizeKey` decides it for the operation behind it. */
export const opens = ({ scopes, scopedTeams }: Reach, { scope, inProject }: Tool): boolean =>
  (scope === 'any' || holds(scopes, scope as Scope)) &&
  (inProject || scopedTeams.length === 0 || isAboutUser(scope as Scope))

/** What counts for a key where an argument of the path is left out, before what counts for everybody: the one project that it reaches. */
export const defaultsOf = ({ scopedTeams }: Reach): Readonly<Record<string, string>> =>
  scopedTeams.length === 1 ? { project_id: String(scopedTeams[0]) } : {}

/** A tool as a key is told of it. */
export function describedFor(reach: Reach, { describes, call }: Tool): ToolDescription {
  const { properties } = describes.inputSchema as { properties: Record<string, Json> }
  const changed = Object.entries(defaultsOf(reach))
    .filter(([name]) => name in call.inPath)
    .map(([name, value]) => [name, { ...properties[name], default: value }] as const)
  if (changed.length === 0) return describes
  return {
    ...describes,
    inputSchema: { ...describes.inputSchema, properties: { ...properties, ...Object.fromEntries(changed) } },
  }
}

/**
 * What a refusal leaves out: which projects a restricted key could have named.
 * @param url of the request that was refused; a project in it that the key reaches is not why.
 */
export function withReach(result: ToolResult, { scopedTeams }: Reach, url: string): ToolResult {
  const [, named] = /\/projects\/(\d+)\//.exec(url) ?? []
  if (scopedTeams.length === 0 || scopedTeams.includes(Number(named))) return result
  const { content } = failed(`This key reaches these projects alone: ${scopedTeams.join(', ')}.`)
  return { ...result, content: [...result.content, ...content] }
}
