// Replaces and deletes the settings of single sign-on.
import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { organizationSso, ssoDomains, ssoIdentities } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { invalid } from '../../errors'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { endPasswordSessionsIn } from './enforcement'
import { checkedIssuer, sealClientSecret } from './provider'
import {
  isUnchanged,
  readState,
  type State,
  changeOf,
  entryOf,
  LOGGED,
  type Logged,
  loggedFrom,
  type SsoContext,
} from './settings-change'
import {
  requireAdmin,
  selectDomains,
  settingsFrom,
  type SsoSettings,
  type StoredSettings,
  notSetUp,
} from './settings'
import type { SsoSettingsBody } from './settings-body'

type Body = z.output<typeof SsoSettingsBody>

/**
 * Replaces the settings. Another issuer has other people, so that the identities of the former one are deleted. Where single sign-on is
 * required, this ends the sessions that a password opened, except the caller's.
 * @throws 403 for members below admin; 400 naming the field
 */
export async function putSettings(context: SsoContext & { url: URL }, body: Body): Promise<SsoSettings> {
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
    if (body.is_enforced) checkEnforceable(before, issuer, domains)
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
      guard(db, isUnchanged(context, before)),
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
      ...(row.isEnforced ? endPasswordSessionsIn(db, organization.id, context.actor.sessionId) : []),
      ...(changes.length > 0 ? [entryOf(context, changes)] : []),
      selectDomains(db, organization.id),
    ])
    return settingsFrom(deps, row, results.at(-1) as Awaited<ReturnType<typeof selectDomains>>, url)
  })
}

/** The sign-in at the former issuer says nothing about another one, at which members would have to sign in. */
const requiredOfFormer = () =>
  invalid(
    'issuer',
    'Turn the requirement of single sign-on off before you change the issuer, and on again after a sign-in at the new one.',
  )

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

/** Rejects that single sign-on is required where it requires nothing, or before it was seen to work. @throws 400, attr `is_enforced` or `issuer` */
function checkEnforceable(
  { settings, domains, signedInAt }: State,
  issuer: string,
  wanted: readonly string[],
): void {
  if (settings?.isEnforced && settings.issuer !== issuer) throw requiredOfFormer()
  if (!domains.some(({ domain, verifiedAt }) => verifiedAt !== null && wanted.includes(domain)))
    throw invalid(
      'is_enforced',
      'Single sign-on can be required with a verified domain only. Verify one first, or do not require it.',
    )
  if (!settings?.isEnforced && signedInAt !== issuer)
    throw invalid('is_enforced', 'Sign in with single sign-on once before you require it of others.')
}

const listed = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`

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

/**
 * Deletes them with their domains and identities. Members then sign in with their passwords.
 * @throws 403 for members below admin; 404 before it is set up
 */
export async function deleteSettings(context: SsoContext): Promise<void> {
  const { deps, organization } = context
  requireAdmin(organization)
  const { db } = deps
  await retryOnConflict(async () => {
    const state = await readState(context)
    const { settings, domains } = state
    if (!settings) throw notSetUp()
    const names = domains.map(({ domain }) => domain)
    await runBatch(db, [
      guard(db, isUnchanged(context, state)),
      db.delete(organizationSso).where(eq(organizationSso.organizationId, organization.id)),
      entryOf(context, diff('Organization', LOGGED, loggedFrom(settings, names), {} as Logged)),
    ])
  })
}
