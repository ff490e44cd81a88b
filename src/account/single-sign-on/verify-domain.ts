// Verifies a domain of an organization, once. Identities belong to the provider and not to addresses, so that a domain with a new owner
// later gives nobody another person's account. One organization has the domain until it removes it from its settings.
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ssoDomains } from '../../../drizzle'
import type { Organization, SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { boolean } from '../../http/fields'
import { isUniqueViolation } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { isAdmin } from '../organizations/membership-guards'
import { hasTxtRecord, txtRecordOf } from './domains'
import { endPasswordSessionsIn } from './enforcement'
import {
  insufficient,
  notSetUp,
  requireAdmin,
  selectDomains,
  selectSettings,
  settingsFrom,
  type SsoSettings,
} from './settings'
import { domainField } from './settings-body'
import { changeOf, entryOf } from './settings-entry'

export const VerifyDomainBody = z.object({
  domain: domainField(),
  confirm: boolean().optional().meta({ default: false }),
})

/**
 * Verifies a domain by DNS. Staff, who operate the service, may confirm it themselves.
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
  const [[settings], domains] = await db.batch([
    selectSettings(db, organization.id),
    selectDomains(db, organization.id),
  ])
  if (!settings) throw notSetUp()
  if (!domains.some((each) => each.domain === domain))
    throw invalid('domain', `Add ${domain} to the domains of single sign-on first.`)
  if (!confirm && !(await hasTxtRecord(env, organization.id, domain)))
    throw unproven(env, organization.id, domain)
  const isDomain = and(eq(ssoDomains.organizationId, organization.id), eq(ssoDomains.domain, domain))
  try {
    const context = { deps, actor, organization }
    const [, , , , verified] = await runIf(
      db,
      isAdmin(organization.id, actor.user.id),
      [
        db
          .update(ssoDomains)
          .set({ verifiedAt: sql`coalesce(verified_at, ${toStoredTimestamp(clock.now())})` })
          .where(isDomain),
        entryOf(context, [changeOf('sso_verified_domain', null, confirm ? `${domain}, by staff` : domain)]),
        ...(endPasswordSessionsIn(db, organization.id, actor.sessionId) as [never, never]),
        selectDomains(db, organization.id),
      ],
      insufficient,
    )
    return settingsFrom(deps, settings, verified, url)
  } catch (error) {
    throw isUniqueViolation(error) ? taken(domain) : error
  }
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
