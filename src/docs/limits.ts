// Describes rate limits in sentences, for responses with 429.
import { MAX_CONCURRENT_RUNS } from '../endpoints/run/concurrency-limit'
import type { OperationDocs } from '../http/docs/operation-docs'
import { HOURLY_QUOTAS } from '../http/limits/key-quota'
import type { Operation } from '../http/operation'
import type { KeyRate, Throttle } from '../http/limits/throttle'

/** Calls per minute that the limiters of wrangler.toml allow a key. A test compares them. */
export const CALLS_A_MINUTE: Readonly<Record<KeyRate, number>> = {
  KEY_RATE: 480,
  TEST_EVALUATION_RATE: 240,
  REMOTE_CONFIG_RATE: 600,
  RUN_RATE: 240,
  MATERIALIZED_RUN_RATE: 1_200,
}

export type Limited = Pick<Operation, 'scope' | 'access' | 'throttles' | 'keyRate'> & {
  /** Whether the calls of a key in an hour are not limited. */
  isUnlimitedByHour?: true
}

export const takesKeys = ({ scope, access }: Pick<Limited, 'scope' | 'access'>): boolean =>
  scope !== null && access !== 'public'

/** Returns the sentence for operations without their own limit. */
export const tooOften = (): string => `Too many calls. ${keyLimit('KEY_RATE', false)}`

export function tooOftenFor(
  { scope, access, throttles, keyRate, isUnlimitedByHour }: Limited,
  { attemptLimit: limit, tooOften: own }: Pick<OperationDocs, 'attemptLimit' | 'tooOften'>,
): string {
  if (own !== undefined) return own
  return [
    'Too many calls.',
    ...(limit ? [`A user may try ${limit.attempts} ${limit.what} within ${spanOf(limit.seconds)}.`] : []),
    ...(throttles
      ? [
          `${access === 'public' ? 'An IP address' : 'A user'} may call this ${throttles.map(timesWithin).join(' and ')}.`,
        ]
      : []),
    ...(takesKeys({ scope, access }) ? [keyLimit(keyRate, Boolean(isUnlimitedByHour))] : []),
  ].join(' ')
}

function keyLimit(rate: Limited['keyRate'] = 'KEY_RATE', isUnlimitedByHour: boolean): string {
  switch (rate) {
    case null:
      return (
        `A key may run queries ${callsOf('RUN_RATE', isUnlimitedByHour)}; for materialized queries ` +
        `${callsOf('MATERIALIZED_RUN_RATE', isUnlimitedByHour)}. A project may run ${MAX_CONCURRENT_RUNS} at the same time.`
      )
    case 'KEY_RATE':
      return `A key may call ${callsOf(rate, isUnlimitedByHour)}, not counting operations with a limit of their own.`
    case 'TEST_EVALUATION_RATE':
    case 'REMOTE_CONFIG_RATE':
    case 'RUN_RATE':
    case 'MATERIALIZED_RUN_RATE':
      return `A key may call this ${callsOf(rate, isUnlimitedByHour)}.`
  }
}

const callsOf = (rate: KeyRate, isUnlimitedByHour: boolean): string => {
  const hour = isUnlimitedByHour ? undefined : HOURLY_QUOTAS[rate]
  return [minute(rate), ...(hour ? [hour] : [])].map(timesWithin).join(' and ')
}

const minute = (rate: KeyRate) => ({ calls: CALLS_A_MINUTE[rate], seconds: 60 })

const timesWithin = ({ calls, seconds }: Pick<Throttle, 'calls' | 'seconds'>): string =>
  `${calls.toLocaleString('en')} times within ${spanOf(seconds)}`

function spanOf(seconds: number): string {
  if (seconds === 60) return 'a minute'
  if (seconds === 3_600) return 'an hour'
  return seconds === 86_400 ? 'a day' : `${seconds / 60} minutes`
}
