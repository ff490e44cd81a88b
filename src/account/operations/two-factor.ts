import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { text } from '../../http/fields'
import { type Context, type Operation, operation } from '../../http/operation'
import { subjectId } from '../find-subject'
import { EmptyBody, Success } from '../../http/plain-bodies'
import { disableTwoFactor, replaceBackupCodes, twoFactorStatus, TwoFactorStatus } from '../two-factor/manage'
import { confirmSetup, pendingSecret, startSetup } from '../two-factor/setup'

/** Starts a setup; what it is answered with differs by the name that it is called by. */
const starting = {
  method: 'get',
  scope: null,
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
    'The secret waits for ten minutes, with the session that asked. `two_factor_qr/` shows it, `two_factor_validate/` puts it to use.',
  responses: { 200: 'empty' },
})

export const startTwoFactorWithSecretOperation = operation({
  ...starting,
  id: 'users_two_factor_start_setup_retrieve',
  path: '/api/users/:uuid/two_factor_start_setup/',
  summary: 'Start setting up a second factor, and read its secret',
  description:
    'As `start_2fa_setup/`, with the secret in the answer. It waits for ten minutes, with the session that asked; asking again replaces it.',
  responses: { 200: z.object({ success: z.boolean(), secret: z.string() }) },
})

export const showTwoFactorQrOperation = operation({
  id: 'users_two_factor_qr_retrieve',
  method: 'get',
  path: '/api/users/:uuid/two_factor_qr/',
  summary: 'Show the pending secret as a QR code',
  description: 'An SVG image for an authenticator app. 404 when nothing is pending.',
  scope: null,
  responses: { 200: 'empty', 404: ErrorBody },
  async handle({ deps, actor }) {
    const pending = await pendingSecret(deps, sessionOf(actor))
    if (!pending) throw notFound()
    return new Response(pending.qrCode, {
      headers: { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': "default-src 'none'" },
    })
  },
})

export const validateTwoFactorOperation = operation({
  id: 'users_two_factor_validate_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_validate/',
  summary: 'Put the pending second factor to use',
  description: 'Takes a code of the authenticator app, and signs all other browsers out.',
  scope: null,
  recentAuth: true,
  body: z.object({ token: text({ max: 64 }) }),
  responses: { 200: Success, 400: ErrorBody, 429: ErrorBody },
  async handle({ deps, actor, body }) {
    await confirmSetup(deps, sessionOf(actor), body.token)
    return { success: true }
  },
})

export const validateTwoFactorByItsOtherNameOperation: Operation = {
  ...validateTwoFactorOperation,
  id: 'users_validate_2fa_create',
  path: '/api/users/:uuid/validate_2fa/',
  summary: 'Put the pending second factor to use, by its other name',
  description: 'The same as `two_factor_validate/`.',
}

export const showTwoFactorStatusOperation = operation({
  id: 'users_two_factor_status_retrieve',
  method: 'get',
  path: '/api/users/:uuid/two_factor_status/',
  summary: 'Read whether there is a second factor',
  scope: null,
  subject: { staff: true },
  responses: { 200: TwoFactorStatus, 404: ErrorBody },
  handle: async (context) => twoFactorStatus(context.deps.db, await subjectId(context)),
})

export const renewBackupCodesOperation = operation({
  id: 'users_two_factor_backup_codes_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_backup_codes/',
  summary: 'Make new backup codes',
  description:
    'Ten codes that open a session once each, in place of all earlier ones. They cannot be read again.',
  scope: null,
  recentAuth: true,
  body: EmptyBody,
  responses: { 200: z.object({ backup_codes: z.array(z.string()) }), 400: ErrorBody },
  handle: async (context) => ({
    backup_codes: await replaceBackupCodes(context.deps, await subjectId(context)),
  }),
})

export const disableTwoFactorOperation = operation({
  id: 'users_two_factor_disable_create',
  method: 'post',
  path: '/api/users/:uuid/two_factor_disable/',
  summary: 'End the second factor',
  description: 'Staff may do it for somebody who lost theirs. Other sessions stay.',
  scope: null,
  recentAuth: true,
  subject: { staff: true },
  body: EmptyBody,
  responses: { 200: Success, 404: ErrorBody },
  async handle(context) {
    await disableTwoFactor(context.deps, await subjectId(context))
    return { success: true }
  },
})
