// Validates the settings of wrangler.toml. The functions are pure.

type Vars = Readonly<Record<string, string>>

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

const RULES: Record<string, Rule> = {
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
  ALLOW_PRIVATE_HOSTS: oneOf(['', 'off'], '"off" or empty: it is for npm start'),
  STREAMS_PER_PROJECT: { isValid: (value) => /^\d{0,9}$/.test(value), want: 'a whole number, or be empty' },
  CAPTURE_STORES: oneOf(['', 'on', 'off'], '"on", "off" or empty'),
  DNS_RESOLVER: ADDRESS,
  CHAT_ISSUER: ADDRESS,
  CLICKHOUSE_URL: ADDRESS,
  AI_BASE_URL: ADDRESS,
}

/** Secrets that a setting requires. */
const COMPANIONS = [
  { secret: 'CHAT_CLIENT_SECRET', setting: 'CHAT_CLIENT_ID', isNeeded: true },
  { secret: 'CLICKHOUSE_PASSWORD', setting: 'CLICKHOUSE_URL', isNeeded: true },
  { secret: 'AI_API_KEY', setting: 'AI_BASE_URL', isNeeded: false },
]

export function settingProblems(vars: Vars): string[] {
  const problems = Object.entries(RULES).flatMap(([name, { isValid, want }]) =>
    isValid(String(vars[name] ?? ''))
      ? []
      : [`${name} in wrangler.toml has to be ${want}; it is ${JSON.stringify(vars[name] ?? '')}.`],
  )
  if (vars.AI_BASE_URL && !vars.AI_MODEL) {
    problems.push(
      'AI_BASE_URL is set in wrangler.toml, and AI_MODEL is not: name the model that is to be asked there.',
    )
  }
  return problems
}

export const secretsOfSettings = (vars: Vars) => COMPANIONS.filter(({ setting }) => vars[setting])
