// Checks that callers without permission are rejected.
import type { Check } from '../check'
import { ensure, Skip } from '../outcome'
import { describe } from '../service'

const ROUTES =
  'Something between this machine and the Worker answers, or adds credentials. Remove it, or point the route in wrangler.toml at the Worker.'

export const accessChecks: readonly Check[] = [
  {
    name: 'Calls without a key are refused',
    async check({ service }) {
      const answer = await service.send('GET', '/api/projects/')
      ensure(answer.status === 401, describe('GET /api/projects/ without a key', answer))
      ensure(
        answer.json<{ code?: string }>().code === 'not_authenticated',
        describe('GET /api/projects/', answer),
      )
    },
    advice: ROUTES,
  },
  {
    name: 'A wrong key is refused',
    async check({ service }) {
      const answer = await service.send('GET', '/api/projects/', {
        headers: { Authorization: 'Bearer phx_halyard_verify' },
      })
      ensure(answer.status === 401, describe('GET /api/projects/ with a wrong key', answer))
    },
    advice: ROUTES,
  },
  {
    name: 'The project token, which is public, manages nothing',
    async check({ service, project }) {
      const { id, token } = await project()
      const path = `/api/projects/${id}/feature_flags/`
      const answer = await service.send('GET', path, { headers: { Authorization: `Bearer ${token}` } })
      ensure(answer.status === 401, describe(`GET ${path} with the project token`, answer))
    },
    advice: ROUTES,
  },
  {
    name: 'An unknown path is a 404 in JSON',
    async check({ service }) {
      const answer = await service.send('GET', '/api/halyard-verify/')
      ensure(answer.status === 404, describe('GET /api/halyard-verify/', answer))
      ensure(
        answer.json<{ code?: string }>().code === 'not_found',
        describe('GET /api/halyard-verify/', answer),
      )
    },
    advice:
      'The Worker has to answer every path: keep `run_worker_first = true` under [assets] in wrangler.toml, and a route for the whole host.',
  },
  {
    name: 'Metrics and the state of the deployment are closed',
    async check({ service }) {
      const metrics = await service.send('GET', '/metrics')
      ensure([401, 404].includes(metrics.status), describe('GET /metrics without a token', metrics))
      const status = await service.sendWithKey('GET', '/api/instance_status/')
      ensure(status.status === 403, describe('GET /api/instance_status/ with a key', status))
    },
    advice: `Set another METRICS_TOKEN with \`npx wrangler secret put METRICS_TOKEN\`. ${ROUTES}`,
  },
  {
    name: 'Webhooks to private hosts are refused',
    async check({ service, project }) {
      if (service.isLocal) throw new Skip('a service on this machine may allow them')
      const { id } = await project()
      const path = `/api/projects/${id}/webhooks/`
      const body = { url: 'https://10.0.0.1/', events: ['Action.created'], active: false }
      const answer = await service.sendWithKey('POST', path, { body })
      const isRefused = answer.status === 400 && answer.json<{ attr?: string }>().attr === 'url'
      ensure(isRefused, describe(`POST ${path} with https://10.0.0.1/`, answer))
    },
    advice: 'Remove ALLOW_PRIVATE_HOSTS from the variables of the Worker, and deploy.',
  },
]
