// How long a model is asked for: 90 seconds a call, 150 in all.
import { describe, expect, it } from 'vitest'
import { ModelUnreachable, parseResponse } from '../../../../src/endpoints/materialization/suggestion/model'
import { suggest } from '../../../../src/endpoints/materialization/suggestion/rounds'
import { testClock } from '../../../support/clock'
import { says } from '../../../support/server/model'

const TASK = { query: 'SELECT 1', reason: 'Because.', conditions: '', contract: '' }

/** Asks a model that takes so many seconds for each of its responses, all of which are wrong. Returns what it had for each, too. */
async function callModel(seconds: readonly number[]) {
  const clock = testClock()
  const given: number[] = []
  const suggestion = suggest({
    clock,
    task: TASK,
    validate: async (query) => `${query} will not do`,
    model: {
      ask(_, timeoutMs) {
        const takes = seconds[given.length]!
        given.push(timeoutMs / 1000)
        clock.advance({ seconds: Math.min(takes, timeoutMs / 1000) })
        if (takes * 1000 > timeoutMs) return Promise.reject(new ModelUnreachable('no answer'))
        return Promise.resolve(says(`SELECT ${given.length}`).says)
      },
    },
  })
  return { given, suggestion: await suggestion.catch((error: unknown) => error) }
}

const invalid = (attempts: number, which: number) => ({
  suggestion_status: 'invalid',
  suggested_query: `SELECT ${which}`,
  explanation: 'Because.',
  attempts,
  error: `SELECT ${which} will not do`,
})

describe('the answer of a model', () => {
  const response = { suggested_query: 'SELECT 1 -- ```sql', explanation: 'Because.' }
  const json = JSON.stringify(response)

  it.each([
    json,
    `\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`JSON\r\n${json}\r\n\`\`\`\n`,
    `\`\`\`\n${json}\n\`\`\``,
    `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nIt groups by day.`,
    `\`\`\`json ${json} \`\`\``,
  ])('is JSON, also in a fence: %s', (text) => {
    expect(parseResponse(text)).toEqual(response)
  })

  it.each(['```json\n{"suggested_query":\n```', '```', '``````', '```json\n[]\n```', 'SELECT 1'])(
    'is malformed without it: %s',
    (text) => {
      expect(parseResponse(text)).toBeNull()
    },
  )
})

describe('the time of a suggestion', () => {
  it('is enough for three quick answers', async () => {
    expect(await callModel([1, 1, 1])).toEqual({ given: [90, 90, 90], suggestion: invalid(3, 3) })
  })

  it('is shared: a later call has the rest', async () => {
    expect(await callModel([80, 40, 29])).toEqual({ given: [90, 70, 30], suggestion: invalid(3, 3) })
  })

  it('ends with the last suggestion when it is up', async () => {
    expect(await callModel([80, 71])).toEqual({ given: [90, 70], suggestion: invalid(2, 1) })
    expect(await callModel([80, 69.5])).toEqual({ given: [90, 70], suggestion: invalid(2, 2) })
  })

  it('is not shared by a first call that has all of its own', async () => {
    expect(await callModel([91])).toEqual({ given: [90], suggestion: expect.any(ModelUnreachable) })
    expect(await callModel([10, 91])).toEqual({ given: [90, 90], suggestion: expect.any(ModelUnreachable) })
  })
})
