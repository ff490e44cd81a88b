import { expect, it } from 'vitest'
import { openApi } from '../support/generated'
import { createHarness } from '../support/harness'

it('serves the document of the operations without credentials', async () => {
  const { status, headers, body } = await createHarness().send('GET', '/openapi.json')
  expect({
    status,
    type: headers.get('Content-Type'),
    caching: headers.get('Cache-Control'),
    sniffing: headers.get('X-Content-Type-Options'),
  }).toEqual({
    status: 200,
    type: 'application/json',
    caching: 'public, max-age=300',
    sniffing: 'nosniff',
  })
  expect(body).toEqual(openApi())
})
