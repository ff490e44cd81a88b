// The two kinds of model, as they are asked and as they answer.
import { describe, expect, it } from 'vitest'
import {
  RESPONSE_SCHEMA,
  parseResponse,
  ModelFailed,
  ModelUnreachable,
} from '../../../../src/endpoints/materialization/suggestion/model'
import {
  modelOf,
  type ModelSettings,
} from '../../../../src/endpoints/materialization/suggestion/suggest-rewrite'
import type { TextModel } from '../../../../src/endpoints/materialization/suggestion/workers-ai'
import { playModel, says } from '../../../support/server/model'

const MESSAGES = [{ role: 'user' as const, content: 'Rewrite this.' }]

const settings = (given: Partial<ModelSettings>): ModelSettings => ({
  AI_BASE_URL: '',
  AI_MODEL: '',
  ...given,
})

describe('which model a deployment has', () => {
  const binding: TextModel = { run: async () => ({ response: 'from the binding' }) }

  it.each([
    ['nothing', {}],
    ['an address alone', { AI_BASE_URL: 'http://127.0.0.1:1/v1' }],
    ['a binding alone', { AI: binding }],
    ['a name alone', { AI_MODEL: 'a-model' }],
  ])('is null with %s', (_, given) => {
    expect(modelOf(settings(given))).toBeNull()
  })

  it('is the one at the address before the binding', async () => {
    const played = await playModel([{ says: 'from the address' }])
    const both = modelOf(settings({ ...played.bindings, AI: binding }))!
    expect(await both.ask(MESSAGES, 5000)).toBe('from the address')
    const bound = modelOf(settings({ AI_MODEL: 'a-model', AI: binding }))!
    expect(await bound.ask(MESSAGES, 5000)).toBe('from the binding')
  })
})

describe('a model over HTTP', () => {
  it('keeps the parameters of its URL, and sends no key without one', async () => {
    const played = await playModel([{ says: 'yes' }])
    const model = modelOf(settings({ AI_BASE_URL: `${played.baseUrl}/?api-version=2`, AI_MODEL: 'a-model' }))!
    expect(await model.ask(MESSAGES, 5000)).toBe('yes')
    const [call] = await played.calls()
    expect(call).toMatchObject({ path: '/v1/chat/completions?api-version=2', body: { messages: MESSAGES } })
    expect(call!.headers).not.toHaveProperty('authorization')
  })

  it('is unreachable when it is silent for too long', async () => {
    const played = await playModel(['silence'])
    const model = modelOf(settings(played.bindings))!
    await expect(model.ask(MESSAGES, 200)).rejects.toThrow(
      new ModelUnreachable("the model's service did not answer: TimeoutError"),
    )
  })

  it('fails when its answer is longer than is read', async () => {
    const played = await playModel([says('x'.repeat(1024 * 1024)), says('x'.repeat(900_000))])
    const model = modelOf(settings(played.bindings))!
    await expect(model.ask(MESSAGES, 5000)).rejects.toThrow(
      new ModelFailed("the model's service answered with more than 1048576 bytes"),
    )
    expect(await model.ask(MESSAGES, 5000)).toContain('x'.repeat(900_000))
  })
})

describe('a model of Workers AI', () => {
  const ANSWER = { suggested_query: 'SELECT 1', explanation: null }

  /** Workers AI has no local form: this is the shape of its binding, with what it has been seen to give. */
  const bound = (run: TextModel['run']) => modelOf(settings({ AI_MODEL: '@cf/a/model', AI: { run } }))!

  it('is asked by name, for JSON of the same schema', async () => {
    const asked: unknown[] = []
    await bound(async (...given) => {
      asked.push(...given.slice(0, 2))
      return { response: '' }
    }).ask(MESSAGES, 5000)
    expect(asked).toEqual([
      '@cf/a/model',
      {
        messages: MESSAGES,
        max_tokens: 8192,
        response_format: { type: 'json_schema', json_schema: RESPONSE_SCHEMA },
      },
    ])
  })

  it.each([
    ['the object', { response: ANSWER, tool_calls: [], usage: {} }],
    ['its text', { response: JSON.stringify(ANSWER) }],
    ['a completion', { choices: [{ message: { role: 'assistant', content: JSON.stringify(ANSWER) } }] }],
  ])('may give %s', async (_, response) => {
    expect(parseResponse(await bound(async () => response).ask(MESSAGES, 5000))).toEqual(ANSWER)
  })

  it.each([
    ['nothing', { response: null }],
    ['an empty completion', { choices: [{ message: { content: null } }] }],
  ])('gives no answer with %s', async (_, response) => {
    expect(parseResponse(await bound(async () => response).ask(MESSAGES, 5000))).toBeNull()
  })

  it('gives no answer when it cannot keep to the schema', async () => {
    const model = bound(() => Promise.reject(new Error("5024: JSON Mode couldn't be met")))
    expect(await model.ask(MESSAGES, 5000)).toBe('')
  })

  it('fails without quoting the conversation', async () => {
    const model = bound(() => Promise.reject(new TypeError('account secret-account: no such model')))
    await expect(model.ask(MESSAGES, 5000)).rejects.toThrow(new ModelFailed('Workers AI failed: TypeError'))
    await expect(bound(async () => 'text').ask(MESSAGES, 5000)).rejects.toThrow(ModelFailed)
  })

  it('is unreachable when it is silent for too long', async () => {
    const model = bound(() => new Promise(() => {}))
    await expect(model.ask(MESSAGES, 50)).rejects.toThrow(ModelUnreachable)
  })
})

describe('a response', () => {
  it('matches the schema', () => {
    expect(parseResponse(says('SELECT 1', 'Because.').says)).toEqual({
      suggested_query: 'SELECT 1',
      explanation: 'Because.',
    })
    expect(parseResponse('{"suggested_query": null, "explanation": null, "more": 1}')).toEqual({
      suggested_query: null,
      explanation: null,
    })
  })
})
