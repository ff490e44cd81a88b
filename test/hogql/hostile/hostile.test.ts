// Every attempt, put to the compiler and to D1 with nothing of the API in between: refused with a reason, or harmless.
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import { HogqlError } from '../../../src/hogql/error'
import { createTenant, type Tenant } from '../../support/tenant'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'
import { comparable } from '../corpus/compare'
import { OTHER_PROJECT, PROJECT, TELL_TALE } from '../corpus/dataset'
import { loadIntoD1 } from '../corpus/load-d1'
import { ATTEMPTS } from './attempts'
import type { Attempt } from './attempt'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await loadIntoD1(tenant.projectId, PROJECT)
  await loadIntoD1((await createTenant()).projectId, OTHER_PROJECT)
})

/** What comes of an attempt: rows, or whose refusal with which words. */
type Result = { rows: unknown[][] } | { refused: string } | { stopped: string }

async function attempt(question: Attempt): Promise<Result> {
  try {
    const query = forD1(await compileQuestion(question))
    try {
      return { rows: await rowsOnD1(query, question, tenant.projectId) }
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return { stopped: error.message }
      throw error
    }
  } catch (error) {
    if (error instanceof HogqlError) return { refused: error.message }
    throw error
  }
}

describe.each(Object.entries(ATTEMPTS))('%s', (_, attempts) => {
  it.each(attempts)('$name', async (each) => {
    const result = await attempt(each)
    if ('rows' in result) {
      for (const text of [TELL_TALE, 'bbbbbbbb', '99999999', 'CREATE TABLE']) {
        expect(JSON.stringify(result.rows)).not.toContain(text)
      }
    }
    const { outcome } = each
    if ('refused' in outcome) expect(result).toEqual({ refused: expect.stringMatching(outcome.refused) })
    else if ('stopped' in outcome) expect(result).toEqual({ stopped: expect.stringMatching(outcome.stopped) })
    else if ('own' in outcome) expect(result).toMatchObject({ rows: { length: outcome.own } })
    else expect('rows' in result ? comparable(result.rows) : result).toEqual(comparable(outcome.rows))
  })
})

it('leaves the parser in order', async () => {
  expect(await attempt({ name: '', sql: 'SELECT count() FROM events', outcome: { own: 1 } })).toEqual({
    rows: [[86]],
  })
})
