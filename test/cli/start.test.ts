// `npm start`, as whoever tries the service runs it, and as a supervisor ends it.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createProject } from './project'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

/** Waits until it is so. A port that is closing may still answer once. */
async function until(isSo: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

it('npm start serves until npm is told to end', { timeout: 180_000 }, async () => {
  const project = createProject({})
  const port = await freePort()
  const health = `http://127.0.0.1:${port}/health`
  const running = project.npm(['start', '--', '--port', String(port)])
  try {
    expect(await until(() => answers(health), 120)).toBe(true)
  } finally {
    running.kill('SIGTERM')
  }
  expect(await until(async () => !(await answers(health)), 15)).toBe(true)
  expect(await running.ended).toMatchObject({
    stdout: expect.stringContaining('Preparing the local database'),
  })
  project.remove()
})
