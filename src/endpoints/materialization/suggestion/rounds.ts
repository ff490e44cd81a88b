// Asking, validating, asking again: up to three times, and no longer than a caller waits (reference/endpoints-api.md §5.10).
import type { Clock } from '../../../clock'
import { type Answer, answerIn, type Model, ModelUnreachable } from './model'
import { messagesFor, NOT_JSON, type Rejected, type Task } from './prompt'

const MAX_ATTEMPTS = 3
const TOTAL_MS = 150_000
const CALL_MS = 90_000
/** With less than this left, a model is not asked any more. */
const LEAST_MS = 1000

const NOTHING_USABLE = 'The AI model did not return a usable suggestion.'

export interface Suggestion {
  suggestion_status: 'ok' | 'cannot_fix' | 'invalid' | 'model_error'
  suggested_query: string | null
  explanation: string | null
  /** How often the model was asked. */
  attempts: number
  error: string | null
}

interface Rounds {
  model: Model
  task: Task
  clock: Clock
  /** What is wrong with a suggested query; null when nothing is. */
  validate(query: string): Promise<string | null>
}

/**
 * Has a model rewrite a query.
 * @throws ModelUnreachable, ModelFailed.
 */
export async function suggest({ model, task, clock, validate }: Rounds): Promise<Suggestion> {
  const end = clock.now().getTime() + TOTAL_MS
  let rejected: Rejected | null = null
  let last: { answer: Answer; failure: string } | null = null
  let attempts = 0
  while (attempts < MAX_ATTEMPTS) {
    const left = end - clock.now().getTime()
    if (left < LEAST_MS) break
    attempts += 1
    const text = await askFor(model, messagesFor(task, rejected), left)
    if (text === null) break
    const answer = answerIn(text)
    if (answer === null) {
      rejected = { text, failure: NOT_JSON }
      continue
    }
    const { suggested_query: query } = answer
    if (query === null) return suggestion('cannot_fix', answer, attempts)
    const failure = await validate(query)
    if (failure === null) return suggestion('ok', answer, attempts)
    last = { answer, failure }
    rejected = { text, failure }
  }
  return last
    ? suggestion('invalid', last.answer, attempts, last.failure)
    : suggestion('model_error', NO_ANSWER, attempts, NOTHING_USABLE)
}

const NO_ANSWER: Answer = { suggested_query: null, explanation: null }

const suggestion = (
  status: Suggestion['suggestion_status'],
  { suggested_query, explanation }: Answer,
  attempts: number,
  error: string | null = null,
): Suggestion => ({ suggestion_status: status, suggested_query, explanation, attempts, error })

/** What the model says; null when all of the time is up before it says anything. */
async function askFor(
  model: Model,
  messages: Parameters<Model['ask']>[0],
  left: number,
): Promise<string | null> {
  try {
    return await model.ask(messages, Math.min(CALL_MS, left))
  } catch (error) {
    // It was given less than its time: what earlier rounds came to is the answer.
    if (left < CALL_MS && error instanceof ModelUnreachable) return null
    throw error
  }
}
