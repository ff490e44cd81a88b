// Checks the Worker, its bindings, and what the platform lets it do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../check'
import { ensure, Failure, Skip } from '../outcome'
import { describe } from '../service'

interface Readiness {
  checks: Record<string, string>
  warnings: { detail: string }[]
}

/** The most bytes of a body of the API. */
const MAX_BODY_BYTES = 1024 * 1024

/** The maximum difference of clocks. One-time codes are accepted for half a minute. */
const MAX_CLOCK_SECONDS = 10

const OPENAPI = join(import.meta.dirname, '../../../public/openapi.json')

export const serviceChecks: readonly Check[] = [
  {
    name: 'The Worker answers',
    async check({ service }) {
      const answer = await service.read('/health')
      ensure(answer.json<{ status?: string }>().status === 'ok', describe('GET /health', answer))
    },
    advice:
      'Read the log with `npx wrangler tail` while you call /health. If another service answers, correct --url or the route in wrangler.toml.',
  },
  {
    name: 'Databases, KV and project objects answer',
    async check({ service }) {
      const answer = await service.send('GET', '/ready')
      const { checks = {} } = answer.json<Partial<Readiness>>()
      const parts = Object.entries(checks)
      const failed = parts.filter(([, result]) => result !== 'ok').map(([part]) => part)
      ensure(failed.length === 0, `/ready reports as failed: ${failed.join(', ')}`)
      for (const part of ['database', 'project_object', 'snapshots', 'events'])
        ensure(checks[part] === 'ok', `${describe('GET /ready', answer)}: without ${part}`)
      return parts.map(([part]) => part).join(', ')
    },
    advice:
      'Compare the bindings in wrangler.toml with `npm run deploy -- --plan`, and deploy. The log has the reason of each failed part.',
  },
  {
    name: 'The databases have room',
    async check({ service }) {
      const { warnings } = (await service.send('GET', '/ready')).json<Readiness>()
      ensure(warnings.length === 0, warnings.map(({ detail }) => detail).join(' '))
    },
    advice: 'Follow "When a database fills up" in the guide Operations.',
  },
  {
    name: 'The deployed version is that of this folder',
    async check({ service }) {
      const answer = await service.read('/openapi.json')
      const { version } = answer.json<{ info: { version: string } }>().info
      ensure(
        answer.text === readFileSync(OPENAPI, 'utf8'),
        `/openapi.json of ${version} differs from that of this folder`,
      )
      return version
    },
    advice: 'Deploy this folder with `npm run deploy`, or run this command from the commit that is deployed.',
  },
  {
    name: 'The clocks of this machine and of the service agree',
    async check(context) {
      const project = await context.project()
      const before = context.now()
      const { created_at: createdAt } = await project.createFlag('verify-clock')
      const at = Date.parse(createdAt)
      const seconds = Math.max(before - at, at - context.now()) / 1000
      ensure(
        seconds <= MAX_CLOCK_SECONDS,
        `they are ${Math.round(seconds)} s apart: the service says ${createdAt}`,
      )
    },
    advice:
      'Set the clock of this machine by NTP, and run again. If the difference stays, the machine of the service has the wrong time: one-time codes and scheduled changes depend on it.',
  },
  {
    name: 'A request may use the processor time of a sign-in',
    async check({ service }) {
      const body = { email: 'halyard-verify@example.com', password: 'not a password' }
      const answer = await service.send('POST', '/api/login/', { body })
      if (answer.status === 403)
        throw new Skip('failed sign-ins have locked out this address for ten minutes')
      const isRefused =
        answer.status === 400 && answer.json<{ code?: string }>().code === 'invalid_credentials'
      ensure(isRefused, describe('POST /api/login/', answer))
    },
    advice:
      'Use the plan Workers Paid: the Free plan ends a request after 10 ms of processor time, and checking a password takes about 50. If `[limits]` in wrangler.toml sets `cpu_ms`, raise it.',
  },
  {
    name: 'A body of 900 KiB arrives, and one above the limit is refused',
    async check({ service, project }) {
      const { token } = await project()
      const send = (bytes: number) =>
        service.send('POST', '/flags/?v=2', {
          // The rest of a rejected body is not read, so that no other call may follow on its connection.
          headers: { Connection: 'close' },
          body: { token, distinct_id: 'halyard-verify', person_properties: { filler: 'x'.repeat(bytes) } },
        })
      const large = await send(900 * 1024)
      ensure(large.status === 200, describe('POST /flags/ of 900 KiB', large))
      const tooLarge = await send(MAX_BODY_BYTES)
      ensure(tooLarge.status === 413, describe('POST /flags/ above 1 MiB', tooLarge))
    },
    advice:
      'Raise the limit for bodies of the proxy or firewall in front of the Worker. A body above 1 MiB has to get 413 from the Worker.',
  },
  {
    name: 'Every list of the API answers',
    async check({ service, project }) {
      const { id } = await project()
      const failed: string[] = []
      for (const path of lists()) {
        const { status } = await service.sendWithKey('GET', path.replace('{project_id}', String(id)))
        if (status !== 200) failed.push(`${path} answered ${status}`)
      }
      if (failed.length > 0) throw new Failure(failed.join('; '))
      return `${lists().length} lists`
    },
    advice:
      'After a 500, a migration is probably missing: `npm run deploy -- --plan` names it, and `npm run deploy` runs it. After a 403, use a key with all scopes.',
  },
]

/** Returns paths of a project that need no more than its id. */
function lists(): string[] {
  const { paths } = JSON.parse(readFileSync(OPENAPI, 'utf8')) as {
    paths: Record<string, { get?: { parameters?: { in: string; required?: boolean }[] } }>
  }
  return Object.entries(paths)
    .filter(([path, { get }]) => {
      const others = get?.parameters?.filter((each) => each.in === 'query' && each.required) ?? []
      return (
        get &&
        path.startsWith('/api/projects/{project_id}/') &&
        path.split('{').length === 2 &&
        others.length === 0
      )
    })
    .map(([path]) => path)
}
