import { expect, it } from 'vitest'
import { areas, sdkArea } from '../../src/areas'
import { glossary } from '../../src/docs/glossary'
import { openApiDocument } from '../../src/docs/openapi'
import { createHarness } from '../support/harness'

it('serves the document that the operations make, to anybody', async () => {
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
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(areas, sdkArea, glossary))))
})
