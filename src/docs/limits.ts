// Rate limits as sentences, for responses with 429.
import { type Limit, PASSWORD_LIMIT, SECOND_FACTOR_LIMIT } from '../account/sign-in/limits'
import { MAX_CONCURRENT_RUNS } from '../endpoints/run/concurrency-limit'
import { type Budget, HOURS } from '../endpoints/run/run-throttle'
import type { Operation } from '../http/operation'
import type { KeyRate, Throttle } from '../http/throttle'

/** Calls a minute that the limiters of wrangler.toml allow a key; a test compares them. */
export const CALLS_A_MINUTE: Readonly<Record<KeyRate | 'RUN_RATE' | 'MATERIALIZED_RUN_RATE', number>> = {
  KEY_RATE: 480,
  TEST_EVALUATION_RATE: 240,
  REMOTE_CONFIG_RATE: 600,
  RUN_RATE: 240,
  MATERIALIZED_RUN_RATE: 1_200,
}

/** What a user tries in an operation, and how often they may. */
const TRIES: Readonly<Record<string, readonly [what: string, limit: Limit]>> = {
  users_partial_update: ['current passwords', PASSWORD_LIMIT],
  users_scene_personalisation_create: ['current passwords', PASSWORD_LIMIT],
  users_two_factor_validate_create: ['codes', SECOND_FACTOR_LIMIT],
  users_validate_2fa_create: ['codes', SECOND_FACTOR_LIMIT],
}

export type Limited = Pick<Operation, 'id' | 'scope' | 'access' | 'throttles' | 'keyRate'>

export const takesKeys = ({ scope, access }: Pick<Limited, 'scope' | 'access'>): boolean =>
  scope !== null && access !== 'anybody'

/** For operations without a limit of their own. */
export const tooOften = (): string => `Too many calls. ${keyLimit('KEY_RATE')}`

export function tooOftenFor({ id, scope, access, throttles, keyRate }: Limited): string {
  // Callers use the token of the project.
  if (id.startsWith('ofrep_')) return 'The evaluation quota of the project is used up.'
  const [what, limit] = TRIES[id] ?? []
  return [
    'Too many calls.',
    ...(limit ? [`A user may try ${limit.tries} ${what} within ${spanOf(limit.seconds)}.`] : []),
    ...(throttles ? [`A user may call this ${throttles.map(timesWithin).join(' and ')}.`] : []),
    ...(takesKeys({ scope, access }) ? [keyLimit(keyRate)] : []),
  ].join(' ')
}

function keyLimit(rate: Limited['keyRate'] = 'KEY_RATE'): string {
  switch (rate) {
    case null:
      return (
        `A key may run queries ${runsOf('inline', 'RUN_RATE')}; for materialized queries ` +
        `${runsOf('materialized', 'MATERIALIZED_RUN_RATE')}. A project may run ${MAX_CONCURRENT_RUNS} at the same time.`
      )
    case 'KEY_RATE':
      return `A key may call ${timesWithin(minute(rate))}, not counting operations with a limit of their own.`
    case 'TEST_EVALUATION_RATE':
    case 'REMOTE_CONFIG_RATE':
      return `A key may call this ${timesWithin(minute(rate))}.`
  }
}

const runsOf = (budget: Budget, rate: keyof typeof CALLS_A_MINUTE): string =>
  [minute(rate), HOURS[budget]].map(timesWithin).join(' and ')

const minute = (rate: keyof typeof CALLS_A_MINUTE) => ({ calls: CALLS_A_MINUTE[rate], seconds: 60 })

const timesWithin = ({ calls, seconds }: Pick<Throttle, 'calls' | 'seconds'>): string =>
  `${calls.toLocaleString('en')} times within ${spanOf(seconds)}`

function spanOf(seconds: number): string {
  if (seconds === 60) return 'a minute'
  if (seconds === 3_600) return 'an hour'
  return seconds === 86_400 ? 'a day' : `${seconds / 60} minutes`
}
