// The body that sets up single sign-on.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, integerOf, text } from '../../http/fields'
import { MAX_URL_LENGTH } from '../../http/public-url'
import { asciiLower } from '../identity-fields'
import { GRANTABLE } from './levels'
import { type SsoSettings, SsoSettingsDocs, settingTexts } from './settings'

/** Maximum domains of one organization. */
export const MAX_DOMAINS = 20
/** Maximum values of the claim that have a level. */
export const MAX_LEVELS = 100

/** Matches the domains of addresses (identity-fields.ts). */
const DOMAIN = /^([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/

export const domainField = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? asciiLower(value.trim()).replace(/^@/, '') : value),
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
      .record(text({ max: 500 }), integerOf(GRANTABLE))
      .refine((levels) => Object.keys(levels).length <= MAX_LEVELS, {
        error: `At most ${MAX_LEVELS} values of the claim have a level.`,
      })
      .optional()
      .meta({ default: {} }),
    default_level: integerOf(GRANTABLE).optional().meta({ default: 1 }),
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
