// Verifies a domain of an organization, once. Identities belong to the provider and not to addresses, so that a domain with a new owner
// later gives nobody another person's account. One organization has the domain until it removes it from its settings.
import { and, eq, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ssoDomains } from '../../../drizzle'
import type { Organization, SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { boolean } from '../../http/fields'
import { guard, isUniqueViolation } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { hasTxtRecord, txtRecordOf } from './domains'
import { endPasswordSessionsIn } from './enforcement'
import { isUnchanged, readState, changeOf, entryOf } from './settings-change'
import { notSetUp, requireAdmin, selectDomains, settingsFrom, type SsoSettings } from './settings'
import { domainField } from './settings-body'

export const VerifyDomainBody = z.object({
  domain: domainField(),
  confirm: boolean().optional().meta({ default: false }),
})

/**
 * Verifies a domain by DNS. Staff, who operate the service, may confirm it themselves. One that is verified stays so.
 * @throws 403 for members below admin, and for `confirm` of others than staff; 404 before single sign-on is set up; 400, attr `domain`,
 * without the record; 503 when the resolver does not respond
 */
export async function verifyDomain(
  deps: Deps,
  actor: SessionActor,
  organization: Organization,
  { domain, confirm = false }: z.output<typeof VerifyDomainBody>,
  url: URL,
): Promise<SsoSettings> {
  requireAdmin(organization)
  if (confirm && !actor.user.isStaff)
    throw permissionDenied('Only staff, who operate this service, can confirm a domain without a DNS record.')
  const { db, env, clock } = deps
  const context = { deps, actor, organization }
  return retryOnConflict(async () => {
    const state = await readState(context)
    const { settings, domains } = state
    if (!settings) throw notSetUp()
    const known = domains.find((each) => each.domain === domain)
    if (!known) throw invalid('domain', `Add ${domain} to the domains of single sign-on first.`)
    if (known.verifiedAt !== null) return settingsFrom(deps, settings, domains, url)
    if (!confirm && !(await hasTxtRecord(env, organization.id, domain)))
      throw unproven(env, organization.id, domain)
    const isPending = and(
      eq(ssoDomains.organizationId, organization.id),
      eq(ssoDomains.domain, domain),
      isNull(ssoDomains.verifiedAt),
    )
    const results = await runBatch(db, [
      // The resolver takes time, in which others may change the settings.
      guard(
        db,
        sql`${isUnchanged(context, state)} AND EXISTS (SELECT 1 FROM ${ssoDomains} WHERE ${isPending})`,
      ),
      db
        .update(ssoDomains)
        .set({ verifiedAt: toStoredTimestamp(clock.now()) })
        .where(isPending),
      entryOf(context, [changeOf('sso_verified_domain', null, confirm ? `${domain}, by staff` : domain)]),
      ...endPasswordSessionsIn(db, organization.id, actor.sessionId),
      selectDomains(db, organization.id),
    ])
    return settingsFrom(deps, settings, results.at(-1) as typeof domains, url)
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken(domain) : error
  })
}

const unproven = (env: Env, organizationId: string, domain: string) =>
  invalid(
    'domain',
    `${domain} has no TXT record "${txtRecordOf(env, organizationId, domain)}" yet. A new record can take an hour to appear.`,
    'not_verified',
  )

export const taken = (domain: string) =>
  invalid(
    'domain',
    `${domain} belongs to another organization of this service. It has to remove the domain from its single sign-on first.`,
    'unique',
  )
