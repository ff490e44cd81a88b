// Asks the model up to three times, within a deadline.
import type { Clock } from '../../../clock'
import type { MaterializationSuggestion } from './suggestion-schema'
import { type ModelResponse, parseResponse, type Model, ModelUnreachable } from './model'
import { messagesFor, NOT_JSON, type Rejected, type Task } from './prompt'

const MAX_ATTEMPTS = 3
const TOTAL_MS = 150_000
const CALL_MS = 90_000
/** Minimum time that has to be left for another attempt. */
const MIN_ATTEMPT_MS = 1000

const NOTHING_USABLE = 'The AI model did not return a usable suggestion.'

type Suggestion = Omit<MaterializationSuggestion, 'original_reason'>

interface Rounds {
  model: Model
  task: Task
  clock: Clock
  /** Returns an error, or null for a valid query. */
  validate(query: string): Promise<string | null>
}

/** @throws ModelUnreachable, ModelFailed */
export async function suggest({ model, task, clock, validate }: Rounds): Promise<Suggestion> {
  const end = clock.now().getTime() + TOTAL_MS
  let rejected: Rejected | null = null
  let last: { response: ModelResponse; failure: string } | null = null
  let attempts = 0
  while (attempts < MAX_ATTEMPTS) {
    const left = end - clock.now().getTime()
    if (left < MIN_ATTEMPT_MS) break
    attempts += 1
    const text = await callModel(model, messagesFor(task, rejected), left)
    if (text === null) break
    const response = parseResponse(text)
    if (response === null) {
      rejected = { text, failure: NOT_JSON }
      continue
    }
    const { suggested_query: query } = response
    if (query === null) return suggestion('cannot_fix', response, attempts)
    const failure = await validate(query)
    if (failure === null) return suggestion('ok', response, attempts)
    last = { response, failure }
    rejected = { text, failure }
  }
  return last
    ? suggestion('invalid', last.response, attempts, last.failure)
    : suggestion('model_error', NO_RESPONSE, attempts, NOTHING_USABLE)
}

const NO_RESPONSE: ModelResponse = { suggested_query: null, explanation: null }

const suggestion = (
  status: Suggestion['suggestion_status'],
  { suggested_query, explanation }: ModelResponse,
  attempts: number,
  error: string | null = null,
): Suggestion => ({ suggestion_status: status, suggested_query, explanation, attempts, error })

/** Returns null when the time is up. */
async function callModel(
  model: Model,
  messages: Parameters<Model['ask']>[0],
  left: number,
): Promise<string | null> {
  try {
    return await model.ask(messages, Math.min(CALL_MS, left))
  } catch (error) {
    // The total deadline ended this call early, so that the earlier rounds are the result.
    if (left < CALL_MS && error instanceof ModelUnreachable) return null
    throw error
  }
}
