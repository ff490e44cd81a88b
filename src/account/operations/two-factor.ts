import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { throttled } from '../../http/limits/throttle'
import { text } from '../../http/fields'
import { type Context, type Operation, operation } from '../../http/operation'
import { SECOND_FACTOR_LIMIT } from '../sign-in/attempt-limits'
import { targetUserId } from '../users/target-user'
import { Success } from '../../http/plain-bodies'
import {
  disableTwoFactor,
  replaceBackupCodes,
  getTwoFactorStatus,
  TwoFactorStatus,
} from '../two-factor/manage'
import { confirmSetup, pendingSecret, startSetup } from '../two-factor/setup'

const starting = {
  method: 'get',
  changesOnGet: true,
  scope: null,
  beforeTwoFactor: true,
  handle: async ({ deps, actor }: Context) => ({
    success: true,
    secret: await startSetup(deps, sessionOf(actor)),
  }),
} as const

export const startTwoFactorOperation = operation({
  ...starting,
  id: 'users_start_2fa_setup_retrieve',
  path: '/api/users/:uuid/start_2fa_setup/',
  summary: 'Start setting up a second factor',
  description:
    'The session keeps the secret for ten minutes. `two_factor_qr/` shows it, `two_factor_validate/` confirms it.',
  responses: { 200: 'empty' },
})

export const startTwoFactorDocs = (): OperationDocs => ({ sample: { as: 'newUser' } })

export const startTwoFactorWithSecretOperation = operation({
  ...starting,
  id: 'users_two_factor_start_setup_retrieve',
  path: '/api/users/:uuid/two_factor_start_setup/',
  summary: 'Start setting up a second factor and return its secret',
  description:
    'As `start_2fa_setup/`, with the secret in the response. Calling it again replaces the secret.',
  responses: { 200: z.object({ success: z.boolean(), secret: z.string() }) },
})

export const startTwoFactorWithSecretDocs = (): OperationDocs => ({
  response: {
    description: 'The pending secret.',
    fields: {
      success: 'Always true.',
      secret: 'The secret in Base32, 32 characters, to type into an authenticator app or show as a QR code.',
    },
    example: { success: true, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  },
  sample: { as: 'newUser' },
})

export const showTwoFactorQrOperation = operation({
  id: 'users_two_factor_qr_retrieve',
  method: 'get',
  path: '/api/users/:uuid/two_factor_qr/',
  summary: 'Show the pending secret as a QR code',
  description: 'An SVG image for an authenticator app. 404 without a pending secret.',
  scope: null,
  beforeTwoFactor: true,
  responses: { 200: 'empty' },
  async handle({ deps, actor }) {
    const pending = await pendingSecret(deps, sessionOf(actor))
    if (!pending) throw notFound()
    return new Response(pending.qrCode, {
      headers: { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': "default-src 'none'" },
    })
  },
})

export const showTwoFactorQrDocs = (): OperationDocs => ({
  response: {
    mediaType: 'image/svg+xml',
    example: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">…</svg>',
  },
  sample: { needs: ['SECRET'], as: 'newUser' },
})

export const validateTwoFactorOperation = operation({
  id: 'users_two_factor_validate_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_validate/',
  summary: 'Confirm the pending second factor',
  description: 'Takes a code of the authenticator app and ends all other login sessions.',
  scope: null,
  beforeTwoFactor: true,
  recentAuth: true,
  body: z.object({ token: text({ max: 64 }) }),
  responses: { 200: Success, 429: ErrorBody },
  async handle({ deps, actor, body }) {
    await confirmSetup(deps, sessionOf(actor), body.token)
    return { success: true }
  },
})

export const validateTwoFactorAliasOperation: Operation = {
  ...validateTwoFactorOperation,
  id: 'users_validate_2fa_create',
  path: '/api/users/:uuid/validate_2fa/',
  summary: 'Confirm the pending second factor (alias)',
  description: 'The same as `two_factor_validate/`.',
}

export const validateTwoFactorDocs = (): OperationDocs => ({
  body: {
    description: 'Proof that the authenticator app has the pending secret.',
    fields: {
      token:
        'Six digits from the authenticator app (SHA-1, 30 seconds); the previous and the next code are valid too. At most 6 wrong codes within 20 minutes. Write-only.',
    },
    example: { token: '123456' },
  },
  attemptLimit: { what: 'codes', ...SECOND_FACTOR_LIMIT },
  errors: { 429: { 'Too many codes': throttled(SECOND_FACTOR_LIMIT.seconds) } },
  sample: { as: 'newUser', body: { token: '$CODE' } },
})

export const validateTwoFactorAliasDocs = (): OperationDocs => ({ ...validateTwoFactorDocs(), body: {} })

export const showTwoFactorStatusOperation = operation({
  id: 'users_two_factor_status_retrieve',
  method: 'get',
  path: '/api/users/:uuid/two_factor_status/',
  summary: 'Read the status of the second factor',
  scope: null,
  beforeTwoFactor: true,
  targetUser: { staff: true },
  responses: { 200: TwoFactorStatus },
  handle: async (context) => getTwoFactorStatus(context.deps.db, await targetUserId(context)),
})

export const renewBackupCodesOperation = operation({
  id: 'users_two_factor_backup_codes_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_backup_codes/',
  summary: 'Replace the backup codes',
  description:
    'Returns ten new codes, once. Each one is valid for one sign-in; earlier codes become invalid.',
  scope: null,
  beforeTwoFactor: true,
  recentAuth: true,
  responses: { 200: z.object({ backup_codes: z.array(z.string()) }) },
  handle: async (context) => ({
    backup_codes: await replaceBackupCodes(context.deps, await targetUserId(context)),
  }),
})

export const renewBackupCodesDocs = (): OperationDocs => ({
  response: {
    description: 'The new backup codes.',
    fields: { backup_codes: 'Ten codes of eight characters, each valid for one sign-in.' },
    example: {
      backup_codes:
        'a2bzk4qe m7cxy3tf q5dwl6ug r3evn2hi k6fup7js z4gto5ra x2hsq3pb v7jrm4oc t5kql6nd s3lpw2me'.split(
          ' ',
        ),
    },
  },
  sample: { needs: ['a second factor'], as: 'newUser' },
})

export const disableTwoFactorOperation = operation({
  id: 'users_two_factor_disable_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_disable/',
  summary: 'Disable the second factor',
  description: 'Staff can do it for other users. Login sessions stay.',
  scope: null,
  recentAuth: true,
  targetUser: { staff: true },
  responses: { 200: Success },
  async handle(context) {
    await disableTwoFactor(context.deps, context.actor, await targetUserId(context))
    return { success: true }
  },
})

export const disableTwoFactorDocs = (): OperationDocs => ({
  sample: { needs: ['a second factor'], as: 'newUser' },
})
