// The single sign-on settings of an organization, as its admins see them.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizationSso, ssoDomains } from '../../../drizzle'
import { ADMIN, MEMBER, type Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import { insufficient } from '../organizations/membership-guards'
import { txtRecordOf } from './domains'
import { GrantableLevel, grantableText } from './levels'
import { redirectUriOf } from './paths'

export const SsoSettings = z
  .object({
    issuer: z.string().nullable(),
    client_id: z.string().nullable(),
    domains: z.array(z.string()),
    verifications: z.array(
      z.object({ domain: z.string(), verified_at: dateTime().nullable(), txt_record: z.string() }),
    ),
    level_claim: z.string().nullable(),
    levels: z.record(z.string(), GrantableLevel),
    default_level: GrantableLevel,
    is_enforced: z.boolean(),
    redirect_uri: z.string(),
    created_at: dateTime().nullable(),
    updated_at: dateTime().nullable(),
  })
  .meta({ id: 'SingleSignOn' })

export type SsoSettings = z.output<typeof SsoSettings>

/** Documents the fields that callers set. */
export const settingTexts = () => ({
  issuer:
    'Issuer of the OpenID Connect provider: `https://` on a public host. Its metadata is at `<issuer>/.well-known/openid-configuration`.',
  client_id: 'Id of this service at the provider.',
  level_claim:
    'Claim whose values give new members without an invite their level, a text or a list. Null: all get the default.',
  levels: `Levels by value of the claim, ${grantableText}. The highest counts.`,
  default_level: `Level of new members without such a value, ${grantableText}.`,
  is_enforced:
    'Whether members with an address in a verified domain have to sign in this way. Owners keep their password.',
})

const example = () => ({
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  domains: ['example.com'],
  verifications: [
    {
      domain: 'example.com',
      verified_at: '2026-04-01T09:10:00Z',
      txt_record: 'halyard-verification=5b1fd1f8a8e2f8b1c5c4de31f7a9c0d62a4be9f0',
    },
  ],
  level_claim: 'groups',
  levels: { 'halyard-admins': 8 },
  default_level: 1,
  redirect_uri: 'https://halyard.example.com/login/sso/callback',
  created_at: '2026-04-01T09:00:00Z',
  updated_at: '2026-04-01T09:00:00Z',
})

export const SsoSettingsDocs = (): SchemaDocs => ({
  description:
    'How members of an organization sign in at its OpenID Connect provider. Before it is set up, `issuer`, `client_id` and the times are null.',
  fields: {
    ...settingTexts(),
    domains: 'Domains of the addresses that may sign in. At most 20.',
    verifications: 'How each domain is verified.',
    'verifications.domain': 'The domain.',
    'verifications.verified_at': 'When it was verified (ISO 8601, UTC). Null: it has no effect yet.',
    'verifications.txt_record': 'Value of the DNS TXT record of the domain that verifies it.',
    redirect_uri: 'Redirect URI to enter at the provider.',
    created_at: 'When single sign-on was set up. ISO 8601, UTC.',
    updated_at: 'When the settings last changed. ISO 8601, UTC.',
  },
  example: example(),
})

/** @throws 403 for members below admin. */
export function requireAdmin({ membershipLevel }: Organization): void {
  if (membershipLevel < ADMIN) throw insufficient()
}

export const notSetUp = () => notFound('Single sign-on is not set up.')

/** @param where further condition */
export const selectSettings = (db: Database, organizationId: string, where?: SQL) =>
  db
    .select()
    .from(organizationSso)
    .where(and(eq(organizationSso.organizationId, organizationId), where))

export const selectDomains = (db: Database, organizationId: string) =>
  db
    .select({ domain: ssoDomains.domain, verifiedAt: ssoDomains.verifiedAt })
    .from(ssoDomains)
    .where(eq(ssoDomains.organizationId, organizationId))
    .orderBy(asc(ssoDomains.domain))

/** SQL condition on `organization_sso`: the organization has verified this domain. */
export const hasDomain = (domain: string): SQL =>
  sql`EXISTS (SELECT 1 FROM sso_domains d WHERE d.organization_id = organization_sso.organization_id
    AND d.domain = ${domain} AND d.verified_at IS NOT NULL)`

export type StoredSettings = typeof organizationSso.$inferSelect
type StoredDomain = Awaited<ReturnType<typeof selectDomains>>[number]

const NOT_SET_UP: Omit<SsoSettings, 'redirect_uri'> = {
  issuer: null,
  client_id: null,
  domains: [],
  verifications: [],
  level_claim: null,
  levels: {},
  default_level: MEMBER,
  is_enforced: false,
  created_at: null,
  updated_at: null,
}

/** @throws 403 for members below admin. */
export async function getSettings(deps: Deps, organization: Organization, url: URL): Promise<SsoSettings> {
  requireAdmin(organization)
  const { db } = deps
  const [[row], domains] = await db.batch([
    selectSettings(db, organization.id),
    selectDomains(db, organization.id),
  ])
  return row ? settingsFrom(deps, row, domains, url) : { ...NOT_SET_UP, redirect_uri: redirectUriOf(url) }
}

export const settingsFrom = (
  { env }: Pick<Deps, 'env'>,
  row: StoredSettings,
  domains: readonly StoredDomain[],
  url: URL,
): SsoSettings => ({
  issuer: row.issuer,
  client_id: row.clientId,
  domains: domains.map(({ domain }) => domain),
  verifications: domains.map(({ domain, verifiedAt }) => ({
    domain,
    verified_at: toApiTimestampOrNull(verifiedAt),
    txt_record: txtRecordOf(env, row.organizationId, domain),
  })),
  level_claim: row.levelClaim,
  levels: row.levels as SsoSettings['levels'],
  default_level: row.defaultLevel as SsoSettings['default_level'],
  is_enforced: row.isEnforced,
  redirect_uri: redirectUriOf(url),
  created_at: toApiTimestamp(row.createdAt),
  updated_at: toApiTimestamp(row.updatedAt),
})
