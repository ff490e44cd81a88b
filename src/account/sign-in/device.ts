// The device of a user agent (docs/reference/accounts.md#login-sessions).
import { parse } from 'bowser'

const versionOf = (version: string | undefined, parts: number) =>
  version?.split('.').slice(0, parts).join('.')

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Returns `Chrome 135.0.0 on macOS 10.15`, without unknown parts, or null if all are unknown. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = parse(userAgent)
  const name = joined(browser.name, browser.name && versionOf(browser.version, 3))
  const system = joined(os.name, os.name && versionOf(os.version, 2))
  return [name, system].filter(Boolean).join(' on ') || null
}
