// Decides which tools an API key has, and their defaults when it is restricted to projects.
import type { UnknownObject } from '../json'
import type { ApiKeyActor } from '../auth/actor'
import { hasScope, isUserScope, type Scope } from '../auth/scopes'
import { failed, type ToolResult } from './result'
import type { Tool, ToolDescription } from './tool'

/** The parts of a key that limit its tools. */
export type Reach = Pick<ApiKeyActor, 'scopes' | 'scopedTeams'>

/** Returns whether a key may use a tool; `authorizeKey` decides the same for its operation. */
export const opens = ({ scopes, scopedTeams }: Reach, { scope, inProject }: Tool): boolean =>
  (scope === 'any' || hasScope(scopes, scope as Scope)) &&
  (inProject || scopedTeams.length === 0 || isUserScope(scope as Scope))

/** Returns defaults of path arguments that override those of the tool: the project of a key that has only one. */
export const defaultsOf = ({ scopedTeams }: Reach): Readonly<Record<string, string>> =>
  scopedTeams.length === 1 ? { project_id: String(scopedTeams[0]) } : {}

/** Returns the description of a tool for a key. */
export function describedFor(reach: Reach, { describes, call }: Tool): ToolDescription {
  const { properties } = describes.inputSchema as { properties: Record<string, UnknownObject> }
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
 * Adds the projects of a restricted key to a 403.
 * @param url of the request; when the key has access to its project, the 403 has another reason
 */
export function withReach(result: ToolResult, { scopedTeams }: Reach, url: string): ToolResult {
  const [, named] = /\/projects\/(\d+)\//.exec(url) ?? []
  if (scopedTeams.length === 0 || scopedTeams.includes(Number(named))) return result
  const { content } = failed(`This key has access to these projects only: ${scopedTeams.join(', ')}.`)
  return { ...result, content: [...result.content, ...content] }
}
