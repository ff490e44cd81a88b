import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { email } from '../identity-fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { operation } from '../../http/operation'
import { deleteSettings, putSettings } from '../single-sign-on/put-settings'
import { isRequiredFor, SSO_METHOD } from '../single-sign-on/enforcement'
import { getSettings, notSetUp, SsoSettings } from '../single-sign-on/settings'
import { SsoSettingsBody } from '../single-sign-on/settings-body'
import { SsoTest, testProvider } from '../single-sign-on/test-provider'
import { taken, verifyDomain, VerifyDomainBody } from '../single-sign-on/verify-domain'

const path = '/api/organizations/:organization_id/sso/'

/** The operation is closed to impersonating staff, who could make themselves another member. */
const sensitive = { scope: null, recentAuth: true, impersonation: 'closed' } as const

export const retrieveSsoOperation = operation({
  id: 'organizations_sso_retrieve',
  method: 'get',
  path,
  summary: 'Read the single sign-on settings of an organization',
  description: 'For admins. The client secret is never returned.',
  scope: null,
  responses: { 200: SsoSettings },
  handle: ({ deps, organization, url }) => getSettings(deps, organization, url),
})

export const retrieveSsoDocs = (): OperationDocs => ({
  sample: { needs: ['single sign-on'], as: 'session' },
})

export const putSsoOperation = operation({
  id: 'organizations_sso_update',
  method: 'put',
  path,
  summary: 'Set single sign-on up, or replace its settings',
  description:
    'For admins. Fields that are left out get their defaults. Another issuer deletes who is who at the former one. Requiring single sign-on needs ' +
    'a verified domain and somebody who has signed in with it; it ends the sessions that passwords opened, except yours.',
  ...sensitive,
  body: SsoSettingsBody,
  responses: { 200: SsoSettings },
  handle: ({ deps, actor, organization, body, url }) =>
    putSettings({ deps, actor: sessionOf(actor), organization, url }, body),
})

export const putSsoDocs = (): OperationDocs => ({ sample: { as: 'session' } })

export const deleteSsoOperation = operation({
  id: 'organizations_sso_destroy',
  method: 'delete',
  path,
  summary: 'Remove single sign-on from an organization',
  description:
    'For admins. Members sign in with their passwords. Those who have none, because single sign-on made their accounts, need a link that sets one.',
  ...sensitive,
  responses: { 204: 'empty' },
  handle: ({ deps, actor, organization }) => deleteSettings({ deps, actor: sessionOf(actor), organization }),
})

export const deleteSsoDocs = (): OperationDocs => ({
  sample: { needs: ['single sign-on'], as: 'session' },
})

export const verifySsoDomainOperation = operation({
  id: 'organizations_sso_verify_domain_create',
  method: 'post',
  path: `${path}verify_domain/`,
  summary: 'Verify a domain for single sign-on',
  description:
    'For admins. Looks for the TXT record of the domain in DNS. A domain belongs to one organization, until it leaves it out of its settings.',
  ...sensitive,
  body: VerifyDomainBody,
  responses: { 200: SsoSettings },
  handle: ({ deps, actor, organization, body, url }) =>
    verifyDomain(deps, sessionOf(actor), organization, body, url),
})

export const verifySsoDomainDocs = (): OperationDocs => ({
  body: {
    description: 'The domain.',
    fields: {
      domain: 'One of the domains of the settings.',
      confirm: 'Verify it without DNS. Only staff, who operate the service, can.',
    },
    example: { domain: 'example.com' },
  },
  errors: { 400: { 'Another organization has the domain': taken('example.com') } },
  // The sample is one of staff, who need no DNS record.
  sample: {
    needs: ['single sign-on'],
    as: 'session',
    body: { domain: 'team-$N.example.com', confirm: true },
  },
})

export const testSsoOperation = operation({
  id: 'organizations_sso_test_create',
  method: 'post',
  path: `${path}test/`,
  summary: 'Test the provider of single sign-on',
  description:
    'For admins. Reads the metadata of the provider and checks what sign-ins need. A sign-in at `/login/sso/test` shows what it says of you.',
  ...sensitive,
  responses: { 200: SsoTest },
  handle: ({ deps, organization, url }) => testProvider(deps, organization, url),
})

export const testSsoDocs = (): OperationDocs => ({
  errors: { 404: { 'Single sign-on is not set up': notSetUp() } },
  response: {
    description: 'What was checked.',
    fields: {
      is_ok: 'Whether all checks passed.',
      checks: 'The checks.',
      'checks.name': 'What was checked.',
      'checks.is_ok': 'Whether it passed.',
      'checks.detail': 'What was found, and what to do.',
    },
    example: {
      is_ok: true,
      checks: [{ name: 'metadata', is_ok: true, detail: 'The issuer publishes its metadata.' }],
    },
  },
  sample: { needs: ['single sign-on'], as: 'session' },
})

export const precheckOperation = operation({
  id: 'login_precheck_create',
  method: 'post',
  path: '/api/login/precheck/',
  summary: 'Ask how an address has to sign in',
  description: 'Says nothing of whether the address has an account.',
  scope: null,
  access: 'public',
  throttles: [{ name: 'login_precheck', calls: 30, seconds: 60 }],
  body: z.object({ email: email() }),
  responses: {
    200: z.object({
      sso_enforcement: z.literal(SSO_METHOD).nullable(),
      saml_available: z.boolean(),
      webauthn_credentials: z.array(z.unknown()),
    }),
  },
  handle: async ({ deps, body }) => ({
    sso_enforcement: (await isRequiredFor(deps.db, body.email)) ? SSO_METHOD : null,
    saml_available: false,
    webauthn_credentials: [],
  }),
})

export const precheckDocs = (): OperationDocs => ({
  body: {
    description: 'The address.',
    fields: { email: 'Email address, case-insensitive.' },
    example: { email: ada.email },
  },
  response: {
    description: 'How it signs in.',
    fields: {
      sso_enforcement:
        '`oidc` where an organization requires single sign-on for the domain. Its owners, and users of other organizations, still have their passwords.',
      saml_available: 'Always false.',
      webauthn_credentials: 'Always empty: there are no passkeys.',
    },
    example: { sso_enforcement: null, saml_available: false, webauthn_credentials: [] },
  },
})
