// What an operator reads when every step is done.
import { curlOf } from '../greeting'
import type { Outcome } from './step-context'

/** The address, credentials that were made, and what to do next. */
export function report({ url, credentials, file, warnings }: Outcome): string {
  const parts = [
    url
      ? `Halyard is at ${url}`
      : 'The Worker has no address: wrangler.toml gives it neither a route nor one under workers.dev.',
  ]
  if (credentials) {
    parts.push(
      `Keep these. They are shown once, and stored in ${file}, which only you can read:\n${JSON.stringify(credentials, null, 2)}`,
      `Paste this to create a flag:\n\n${curlOf(credentials)}`,
    )
  }
  parts.push(...warnings.map((warning) => `Warning: ${warning}`))
  return `\n${parts.join('\n\n')}\n`
}
