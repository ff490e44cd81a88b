// Proof that an organization owns a domain: a TXT record that only the owner of the domain can add. It is looked up over HTTPS (RFC
// 8484's JSON form), because Workers have no other DNS.
import * as z from 'zod'
import { equalsInConstantTime } from '../../auth/constant-time'
import { boundedText } from '../../bounded-text'
import { ApiError } from '../../errors'
import { keyringOf } from '../../storage/cipher'

const RESOLVER = 'https://cloudflare-dns.com/dns-query'
const PREFIX = 'halyard-verification='
const TOKEN_LENGTH = 40
const DEADLINE_MS = 5_000
const MAX_RESPONSE_BYTES = 64 * 1024
const TXT = 16

const Answers = z.object({
  Answer: z.array(z.object({ name: z.string(), type: z.int(), data: z.string() })).default([]),
})

/**
 * Returns the accepted records, the one of the current key first. They are keyed digests of organization and domain, so that nothing is
 * stored, and a domain has another record for each organization.
 */
const txtRecordsOf = (env: Env, organizationId: string, domain: string): string[] =>
  keyringOf(env, 'ACCOUNT_KEYS')
    .digests(`sso-domain:${organizationId}:${domain}`)
    .map((digest) => PREFIX + digest.slice(0, TOKEN_LENGTH))

/** Returns the record that the domain has to have. */
export const txtRecordOf = (env: Env, organizationId: string, domain: string): string =>
  txtRecordsOf(env, organizationId, domain)[0]!

/** Whether DNS has the record. @throws 503 when the resolver does not respond. */
export async function hasTxtRecord(env: Env, organizationId: string, domain: string): Promise<boolean> {
  const accepted = txtRecordsOf(env, organizationId, domain)
  const records = await lookUpTxt(env, domain)
  return records.some((record) => accepted.some((each) => equalsInConstantTime(each, record)))
}

async function lookUpTxt(env: Env, domain: string): Promise<string[]> {
  const url = new URL(env.DNS_RESOLVER || RESOLVER)
  url.searchParams.set('name', domain)
  url.searchParams.set('type', 'TXT')
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/dns-json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const text = await boundedText(response.body, MAX_RESPONSE_BYTES)
    if (!response.ok || text === null) throw new Error(`the resolver responded with ${response.status}`)
    return (
      Answers.parse(JSON.parse(text))
        // Where the name is an alias, the answer has records of another name, which may have another owner.
        .Answer.filter(({ name, type }) => type === TXT && name.toLowerCase().replace(/\.$/, '') === domain)
        .map(({ data }) => unquoted(data))
    )
  } catch (cause) {
    throw new ApiError({
      status: 503,
      type: 'server_error',
      code: 'resolver_unavailable',
      detail: 'The DNS resolver did not respond. Please retry.',
      headers: { 'Retry-After': '1' },
      cause,
    })
  }
}

/** Returns the text of a record, which comes as one quoted text or several. */
const unquoted = (data: string): string =>
  data.startsWith('"') ? [...data.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('') : data
