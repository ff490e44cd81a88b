// The language model of a deployment: any service that speaks OpenAI's protocol, or Workers AI (decision 31). None unless it is configured.
import type { Model } from './model'
import { openAiCompatible } from './openai-compatible'
import { type TextModel, workersAi } from './workers-ai'

/** What `env` holds of a model. `AI` is the binding of Workers AI, which a deployment may have. */
export type ModelSettings = Pick<Env, 'AI_BASE_URL' | 'AI_MODEL' | 'AI_API_KEY'> & { AI?: TextModel }

/** The model of a deployment; null where it has none. An address goes before the binding. */
export function modelOf({ AI_BASE_URL, AI_MODEL, AI_API_KEY, AI }: ModelSettings): Model | null {
  if (!AI_MODEL) return null
  if (AI_BASE_URL) return openAiCompatible({ baseUrl: AI_BASE_URL, model: AI_MODEL, key: AI_API_KEY ?? '' })
  return AI ? workersAi(AI, AI_MODEL) : null
}
