// Creates, changes and removes the settings of single sign-on.
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizations, organizationSso, ssoDomains, ssoIdentities } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Organization, SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, text } from '../../http/fields'
import { MAX_URL_LENGTH } from '../../http/public-url'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch, runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { isAdmin } from '../organizations/membership-guards'
import { endPasswordSessions } from './enforcement'
import { GrantableLevel } from './levels'
import { checkedIssuer, sealClientSecret } from './provider'
import {
  insufficient,
  notSetUp,
  requireAdmin,
  selectDomains,
  selectSettings,
  settingsFrom,
  settingTexts,
  type SsoSettings,
  SsoSettingsDocs,
  type StoredSettings,
} from './settings'

/** Maximum domains of one organization. */
export const MAX_DOMAINS = 20
/** Maximum values of the claim that have a level. */
export const MAX_LEVELS = 100

/** Matches the domains of addresses (identity-fields.ts). */
const DOMAIN = /^([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/

export const domainField = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase().replace(/^@/, '') : value),
    z
      .string()
      .max(253, { abort: true })
      .regex(DOMAIN, 'Enter the domain of email addresses, such as example.com.')
      .meta({ format: 'hostname' }),
  )

export const SsoSettingsBody = z
  .object({
    issuer: text({ max: MAX_URL_LENGTH }),
    client_id: text({ max: 500 }),
    client_secret: text({ max: 2_000 }).optional(),
    domains: z.array(domainField()).min(1).max(MAX_DOMAINS),
    level_claim: text({ max: 200 }).nullable().optional().meta({ default: null }),
    levels: z
      .record(text({ max: 500 }), GrantableLevel)
      .refine((levels) => Object.keys(levels).length <= MAX_LEVELS, {
        error: `At most ${MAX_LEVELS} values of the claim have a level.`,
      })
      .optional()
      .meta({ default: {} }),
    default_level: GrantableLevel.optional().meta({ default: 1 }),
    is_enforced: boolean().optional().meta({ default: false }),
  })
  .meta({ id: 'SingleSignOnBody' })

export const SsoSettingsBodyDocs = (): SchemaDocs => ({
  description: 'Single sign-on settings.',
  fields: {
    ...settingTexts(),
    client_secret:
      'Secret of the client id. Required at first, and with another issuer or client id. Write-only.',
    domains: `Domains of the addresses that may sign in, 1 to ${MAX_DOMAINS}. Each has to be verified.`,
  },
  example: (({ issuer, client_id, level_claim, levels, default_level }) => ({
    issuer,
    client_id,
    client_secret: 'a secret of the provider',
    domains: ['example.com'],
    level_claim,
    levels,
    default_level,
  }))(SsoSettingsDocs().example as SsoSettings),
})

type Body = z.output<typeof SsoSettingsBody>

interface WriteContext {
  deps: Deps
  actor: SessionActor
  organization: Organization
  url: URL
}

/**
 * Replaces the settings. Another issuer has other people, so that the identities of the former one are deleted. Where single sign-on is
 * required, this ends the sessions that a password opened, except the caller's.
 * @throws 403 for members below admin; 400 naming the field
 */
export async function putSettings(context: WriteContext, body: Body): Promise<SsoSettings> {
  const { deps, organization, url } = context
  requireAdmin(organization)
  const { db, env } = deps
  const issuer = checkedIssuer(body.issuer, env, url)
  if (Object.keys(body.levels ?? {}).length > 0 && (body.level_claim ?? null) === null)
    throw invalid('level_claim', 'Name the claim whose values have these levels.', 'required')
  return retryOnConflict(async () => {
    const before = await readState(context)
    const domains = [...new Set(body.domains)]
    const clientSecret = await clientSecretOf(env, body, issuer, before.settings)
    if (body.is_enforced && !before.settings?.isEnforced) checkEnforceable(before, issuer, domains)
    const now = toStoredTimestamp(deps.clock.now())
    const values = {
      issuer,
      clientId: body.client_id,
      clientSecret,
      levelClaim: body.level_claim ?? null,
      levels: body.levels ?? {},
      defaultLevel: body.default_level ?? 1,
      isEnforced: body.is_enforced ?? false,
      updatedAt: now,
    }
    const row: StoredSettings = {
      organizationId: organization.id,
      createdAt: before.settings?.createdAt ?? now,
      ...values,
    }
    const changes = changesOf(before, row, domains, body.client_secret !== undefined)
    const isMine = eq(ssoDomains.organizationId, organization.id)
    const results = await runBatch(db, [
      guard(
        db,
        sql`${isUnchanged(organization.id, before.settings)} AND ${isAdmin(organization.id, context.actor.user.id)}`,
      ),
      db
        .insert(organizationSso)
        .values(row)
        .onConflictDoUpdate({ target: organizationSso.organizationId, set: values }),
      db.delete(ssoDomains).where(and(isMine, sql`domain NOT IN ${listed(domains)}`)),
      ...domains.map((domain) =>
        db.insert(ssoDomains).values({ organizationId: organization.id, domain }).onConflictDoNothing(),
      ),
      db
        .delete(ssoIdentities)
        .where(and(eq(ssoIdentities.organizationId, organization.id), sql`issuer <> ${issuer}`)),
      ...(row.isEnforced ? endPasswordSessionsOf(context) : []),
      ...(changes.length > 0 ? [entryOf(context, changes)] : []),
      selectDomains(db, organization.id),
    ])
    return settingsFrom(deps, row, results.at(-1) as Awaited<ReturnType<typeof selectDomains>>, url)
  })
}

/**
 * Deletes the settings with their domains and identities. Members then sign in with their passwords.
 * @throws 403 for members below admin; 404 before it is set up
 */
export async function deleteSettings(context: WriteContext): Promise<void> {
  const { deps, actor, organization } = context
  requireAdmin(organization)
  const { db } = deps
  const { settings, domains } = await readState(context)
  if (!settings) throw notSetUp()
  const names = domains.map(({ domain }) => domain)
  await runIf(
    db,
    isAdmin(organization.id, actor.user.id),
    [
      db.delete(organizationSso).where(eq(organizationSso.organizationId, organization.id)),
      entryOf(context, diff('Organization', LOGGED, loggedFrom(settings, names), {} as Logged)),
    ],
    insufficient,
  )
}

/** @throws 403 for a caller who is no admin any more. */
async function readState({ deps: { db }, actor, organization: { id } }: WriteContext) {
  const [[settings], domains, [identity], [caller]] = await db.batch([
    selectSettings(db, id),
    selectDomains(db, id),
    db
      .select({ issuer: ssoIdentities.issuer })
      .from(ssoIdentities)
      .where(eq(ssoIdentities.organizationId, id))
      .limit(1),
    db
      .select({ isAdmin: sql<number>`${isAdmin(id, actor.user.id)}` })
      .from(organizations)
      .limit(1),
  ])
  if (!caller?.isAdmin) throw insufficient()
  return { settings, domains, signedInAt: identity?.issuer }
}

type State = Awaited<ReturnType<typeof readState>>

/** Returns the secret to store. A stored secret is sent only to the provider that it belongs to. @throws 400, attr `client_secret` */
function clientSecretOf(
  env: Env,
  body: Body,
  issuer: string,
  stored: StoredSettings | undefined,
): Promise<string> | string {
  if (body.client_secret !== undefined) return sealClientSecret(env, body.client_secret)
  if (stored?.issuer === issuer && stored.clientId === body.client_id) return stored.clientSecret
  throw invalid(
    'client_secret',
    stored
      ? 'Enter the client secret again: it belongs to the former issuer and client id.'
      : 'This field is required.',
    'required',
  )
}

/** Rejects that single sign-on is required before it was seen to work. @throws 400, attr `is_enforced` */
function checkEnforceable({ domains, signedInAt }: State, issuer: string, wanted: readonly string[]): void {
  if (!domains.some(({ domain, verifiedAt }) => verifiedAt !== null && wanted.includes(domain)))
    throw invalid('is_enforced', 'Verify a domain before you require single sign-on.')
  if (signedInAt !== issuer)
    throw invalid('is_enforced', 'Sign in with single sign-on once before you require it of others.')
}

const listed = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`

const isUnchanged = (organizationId: string, before: StoredSettings | undefined) =>
  before
    ? sql`EXISTS (SELECT 1 FROM organization_sso WHERE organization_id = ${organizationId} AND updated_at = ${before.updatedAt}
        AND client_secret = ${before.clientSecret})`
    : sql`NOT EXISTS (SELECT 1 FROM organization_sso WHERE organization_id = ${organizationId})`

/** Signs out users who now have to use single sign-on and did not, in all browsers but the caller's. */
export const endPasswordSessionsOf = ({
  deps: { db },
  actor,
  organization,
}: Pick<WriteContext, 'deps' | 'actor' | 'organization'>) =>
  endPasswordSessions(
    db,
    sql`(SELECT m.user_id FROM organization_memberships m WHERE m.organization_id = ${organization.id})`,
    actor.sessionId,
  )

const LOGGED = [
  'sso_issuer',
  'sso_client_id',
  'sso_domains',
  'sso_level_claim',
  'sso_levels',
  'sso_default_level',
  'sso_is_enforced',
] as const

type Logged = Record<(typeof LOGGED)[number], unknown>

const loggedFrom = (row: StoredSettings, domains: readonly string[]): Logged => ({
  sso_issuer: row.issuer,
  sso_client_id: row.clientId,
  sso_domains: [...domains].sort(),
  sso_level_claim: row.levelClaim,
  sso_levels: row.levels,
  sso_default_level: row.defaultLevel,
  sso_is_enforced: row.isEnforced,
})

function changesOf(before: State, row: StoredSettings, domains: readonly string[], hasSecret: boolean) {
  const former = before.settings
    ? loggedFrom(
        before.settings,
        before.domains.map(({ domain }) => domain),
      )
    : ({} as Logged)
  const changes = diff('Organization', LOGGED, former, loggedFrom(row, domains))
  return hasSecret && before.settings
    ? [...changes, changeOf('sso_client_secret', null, 'replaced')]
    : changes
}

export const changeOf = (field: string, before: unknown, after: unknown): Change => ({
  type: 'Organization',
  action: 'changed',
  field,
  before,
  after,
})

/** The statement that adds an activity entry. */
export const entryOf = (
  { deps, actor, organization }: Pick<WriteContext, 'deps' | 'actor' | 'organization'>,
  changes: Change[],
) =>
  recordActivity(deps, deps.clock.now(), {
    organizationId: organization.id,
    actor,
    scope: 'Organization',
    itemId: organization.id,
    verb: 'updated',
    name: organization.name,
    changes,
  })
