// A language model for one test: its responses, and the calls to it.
import { inject } from 'vitest'
import type { ModelResponse, ModelCall } from './serve-model'

export interface PlayedModel {
  baseUrl: string
  /** The settings of a deployment that calls it. */
  bindings: { AI_BASE_URL: string; AI_MODEL: string; AI_API_KEY: string }
  calls(): Promise<ModelCall[]>
}

export const MODEL_KEY = 'sk-a-key-that-nobody-else-may-see'

/** A model that returns these responses, one per call. */
export async function playModel(responses: readonly ModelResponse[]): Promise<PlayedModel> {
  const id = crypto.randomUUID()
  const play = `${inject('modelUrl')}/plays/${id}`
  const written = await fetch(play, { method: 'PUT', body: JSON.stringify(responses) })
  await written.body?.cancel()
  const baseUrl = `${inject('modelUrl')}/${id}/v1`
  return {
    baseUrl,
    bindings: { AI_BASE_URL: baseUrl, AI_MODEL: 'a-model', AI_API_KEY: MODEL_KEY },
    calls: async () => (await fetch(play)).json(),
  }
}

/** A response in the form that the model must have. */
export const says = (suggested_query: string | null, explanation: string | null = 'Because.') => ({
  says: JSON.stringify({ suggested_query, explanation }),
})
