// Cron triggers of the local server.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { unstable_readConfig as readConfig } from 'wrangler'
import { afterEach, describe, expect, it } from 'vitest'
import { createTrigger, startTriggers } from '../../../src/cli/serve/triggers'
import { DAILY, EVERY_MINUTE } from '../../../src/jobs/crons'

let server: Server | undefined
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

async function serve(status: () => number) {
  const paths: string[] = []
  server = createServer((request, response) => {
    paths.push(request.url!)
    response.writeHead(status()).end('exception')
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}

const MINUTE_PATH = '/cdn-cgi/local/scheduled?cron=*%20*%20*%20*%20*'

describe('triggers', () => {
  it('are those of wrangler.toml', () => {
    expect(readConfig({ config: 'wrangler.toml' }).triggers.crons).toEqual([EVERY_MINUTE, DAILY])
  })

  it('fire at the same time', async () => {
    const { url, paths } = await serve(() => 200)
    const stop = startTriggers(url, () => {})
    await expect.poll(() => paths.length).toBe(2)
    stop()
    expect(paths.sort()).toEqual([MINUTE_PATH, '/cdn-cgi/local/scheduled?cron=17%203%20*%20*%20*'])
  })

  it('report failures that persist, once', async () => {
    let status = 500
    const { url } = await serve(() => status)
    const reports: string[] = []
    const fire = createTrigger(url, EVERY_MINUTE, (message) => reports.push(message))
    for (let count = 0; count < 3; count += 1) await fire()
    expect(reports).toEqual([])
    for (let count = 0; count < 3; count += 1) await fire()
    const report = 'The trigger "* * * * *" has failed 4 times in a row: status 500, exception'
    expect(reports).toEqual([report])
    status = 200
    await fire()
    status = 500
    for (let count = 0; count < 4; count += 1) await fire()
    expect(reports).toEqual([report, report])
  })
})
