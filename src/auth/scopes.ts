// Scopes of API keys: `*` includes everything, `x:write` includes `x:read`.
import { permissionDenied } from '../errors'

export type Scope = `${string}:read` | `${string}:write`

/** What an operation requires of an API key: a scope, `any` for no scope, or null if it accepts only sessions. */
export type RequiredScope = Scope | 'any' | null

const satisfies = (scope: string, required: Scope) =>
  scope === '*' || scope === required || scope === required.replace(/:read$/, ':write')

export const hasScope = (scopes: readonly string[], required: Scope): boolean =>
  scopes.some((scope) => satisfies(scope, required))

/**
 * Whether a scope concerns the user, so that restricted keys may have it. Its operations read of organizations and projects what is in reach
 * (`organizations/reach.ts`).
 */
export const isUserScope = (required: Scope | 'any'): boolean =>
  required === 'any' || required.startsWith('user:')

/** @throws 403 that names the missing scope. */
export function requireScope(scopes: readonly string[], required: Scope): void {
  if (!hasScope(scopes, required)) throw permissionDenied(`API key missing required scope '${required}'`)
}

/** The 403 error of operations that accept no API keys (docs/reference/accounts.md#what-keys-may-call). */
export const keysNotSupported = () => permissionDenied('This action does not support personal API key access')
