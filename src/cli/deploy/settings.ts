// The variables that the Worker reads, and the values that it takes. The functions are pure.
import { closestKey } from '../../http/body/misspelt-keys'

type Vars = Readonly<Record<string, unknown>>

/** Names of variables and secrets. The Worker reads no other. */
type Variable = {
  [Name in keyof Env]-?: Env[Name] extends string | undefined ? Name : never
}[keyof Env]

interface Rule {
  isValid(value: string): boolean
  want: string
}

const isUrl = (value: string) => URL.canParse(value) && /^https?:/.test(value)
const isUrlOrEmpty = (value: string) => value === '' || isUrl(value)
const ADDRESS: Rule = { isValid: isUrlOrEmpty, want: 'an address that begins with https://, or be empty' }

/** A whole number from 1, or nothing for the default. */
const whole = (max: number, want: string): Rule => ({
  isValid: (value) => value === '' || (/^[1-9]\d{0,14}$/.test(value) && Number(value) <= max),
  want: `${want}, or be empty`,
})

const oneOf = (values: readonly string[], want: string): Rule => ({
  isValid: (value) => values.includes(value),
  want,
})

const DAYS = whole(99_999, 'a whole number of days, 1 or more')

const TEXT: Rule = { isValid: () => true, want: '' }

/** Variables that a deployment has to set: what an environment leaves out must not be another value than that of the top. */
const REQUIRED = {
  FRESHNESS_SECONDS: whole(60, 'a whole number from 1 to 60'),
  MAX_FLAGS_PER_PROJECT: { isValid: (value) => /^[1-9]\d*$/.test(value), want: 'a whole number, 1 or more' },
  EVENTS_RETENTION_DAYS: DAYS,
  MOVED_EVENTS_RETENTION_DAYS: DAYS,
  ACTIVITY_RETENTION_DAYS: DAYS,
  DELETED_RETENTION_DAYS: DAYS,
  VERSION_RETENTION_COUNT: whole(99_999, 'a whole number from 1 to 99999'),
  BACKUP_GENERATIONS: whole(999, 'a whole number from 1 to 999'),
  DATABASE_MAX_BYTES: whole(Infinity, 'a whole number of bytes, 1 or more'),
  PERSON_READS: oneOf(['', 'nearest', 'primary'], '"nearest", "primary" or empty'),
  THROTTLES: oneOf(['on', 'off'], '"on" or "off"'),
  STREAMS_PER_PROJECT: { isValid: (value) => /^\d{0,9}$/.test(value), want: 'a whole number, or be empty' },
} satisfies Partial<Record<Variable, Rule>>

/** Variables that may also be secrets, or missing. */
const OPTIONAL: Readonly<Record<Exclude<Variable, keyof typeof REQUIRED>, Rule>> = {
  ALLOW_PRIVATE_HOSTS: oneOf(['', 'off'], '"off" or empty: it is for npm start'),
  CAPTURE_STORES: oneOf(['', 'on', 'off'], '"on", "off" or empty'),
  DNS_RESOLVER: ADDRESS,
  CHAT_ISSUER: ADDRESS,
  CHAT_CLIENT_ID: TEXT,
  CHAT_CLIENT_SECRET: TEXT,
  CHAT_CLAIM_TEAM_ID: TEXT,
  CHAT_CLAIM_TEAM_NAME: TEXT,
  CHAT_CLAIM_USER_ID: TEXT,
  CLICKHOUSE_URL: ADDRESS,
  CLICKHOUSE_USER: TEXT,
  CLICKHOUSE_PASSWORD: TEXT,
  CLICKHOUSE_DATABASE: TEXT,
  AI_BASE_URL: ADDRESS,
  AI_MODEL: TEXT,
  AI_API_KEY: TEXT,
  METRICS_TOKEN: {
    isValid: (value) => value === '' || value.length >= 16,
    want: '16 characters or more, or be empty',
  },
  PAYLOAD_KEYS: TEXT,
  PAYLOAD_KEYS_NEXT: TEXT,
  ACCOUNT_KEYS: TEXT,
  ACCOUNT_KEYS_NEXT: TEXT,
}

const RULES: Readonly<Record<string, Rule>> = { ...REQUIRED, ...OPTIONAL }

export const VARIABLES = Object.keys(RULES)
export const REQUIRED_VARIABLES = Object.keys(REQUIRED)

/** Secrets that a setting requires. */
const COMPANIONS = [
  { secret: 'CHAT_CLIENT_SECRET', setting: 'CHAT_CLIENT_ID', isNeeded: true },
  { secret: 'CLICKHOUSE_PASSWORD', setting: 'CLICKHOUSE_URL', isNeeded: true },
  { secret: 'AI_API_KEY', setting: 'AI_BASE_URL', isNeeded: false },
]

/** @param where the file, and the environment in it */
export function settingProblems(vars: Vars, where: string): string[] {
  const problems = Object.entries(vars).flatMap(([name, value]) => {
    const isText = typeof value === 'string'
    const { isValid, want } = RULES[name] ?? TEXT
    return isText && isValid(value)
      ? []
      : [
          `${name} in ${where} has to be ${isText ? want : 'a text, in quotation marks'}${isSecret(name) ? '' : `; it is ${JSON.stringify(value)}`}.`,
        ]
  })
  if (vars.AI_BASE_URL && !vars.AI_MODEL) {
    problems.push(
      `AI_BASE_URL is set in ${where}, and AI_MODEL is not: name the model that is to be asked there.`,
    )
  }
  return problems
}

/** Messages must not contain the values of these. */
const isSecret = (name: string): boolean => /KEY|PASSWORD|SECRET|TOKEN/.test(name)

/** Returns a sentence for each name that is not known, with the known name that it may stand for. */
export const unknownNames = (names: readonly string[], known: readonly string[], where: string): string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closestKey(name, known)
      return `The Worker does not read ${name} ${where}${meant === null ? ': remove it.' : `. Did you mean ${meant}?`}`
    })

export const secretsOfSettings = (vars: Vars) => COMPANIONS.filter(({ setting }) => vars[setting])
