// What a scope opens: `*` everything, `x:write` also `x:read` (reference/flags-api.md §15).
import { permissionDenied } from '../errors'

export type Scope = `${string}:read` | `${string}:write`

/** What an operation asks of an API key: a scope, `any` when every key will do, or `null` when it takes no keys at all, only sessions. */
export type RequiredScope = Scope | 'any' | null

const satisfies = (held: string, required: Scope) =>
  held === '*' || held === required || held === required.replace(/:read$/, ':write')

/** Whether scopes open what needs `required`. */
export const hasScope = (scopes: readonly string[], required: Scope): boolean =>
  scopes.some((held) => satisfies(held, required))

/** Whether what needs a scope belongs to the user alone, and is not narrowed by the projects that a key is restricted to. */
export const isUserScope = (required: Scope | 'any'): boolean =>
  required === 'any' || required.startsWith('user:')

/**
 * Checks a key's scopes against what an operation needs.
 * @throws 403 that names the missing scope.
 */
export function requireScope(scopes: readonly string[], required: Scope): void {
  if (!hasScope(scopes, required)) throw permissionDenied(`API key missing required scope '${required}'`)
}

/** @throws 403 when the operation takes no API keys (reference/account-api.md §0.4). */
export const keysNotSupported = () => permissionDenied('This action does not support personal API key access')
