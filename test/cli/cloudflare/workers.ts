// The part of Cloudflare's API about Workers: what is uploaded becomes what is deployed.
import {
  type Account,
  type Binding,
  type Call,
  type DeployedWorker,
  json,
  Page,
  Refused,
  type Route,
} from './account'

const VERSION = '22222222-2222-4222-8222-222222222222'

export function workerRoutes(account: Account): Route[] {
  const { workers, changes } = account

  function workerOf(name: string, code = 10_007): DeployedWorker {
    const worker = workers.get(name)
    if (!worker) throw new Refused(404, code, 'This Worker does not exist on your account.')
    return worker
  }

  /** As Cloudflare does: secrets that an upload does not bring stay. */
  async function take({ request, body, parts: [name] }: Call): Promise<unknown> {
    const headers = { 'Content-Type': request.headers['content-type']! }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const metadata = JSON.parse(String(form.get('metadata'))) as {
      bindings: Binding[]
      migrations?: { new_tag: string }
    }
    const known = workers.get(name!)
    const secrets = { ...known?.secrets }
    const bindings = metadata.bindings.flatMap((binding) => {
      if (binding.type === 'secret_text') {
        secrets[binding.name] = String(binding.text)
        return []
      }
      if (binding.type !== 'inherit') return [binding]
      const inherited = known?.bindings.find((one) => one.name === binding.name)
      if (inherited) return [inherited]
      if (binding.name in secrets) return []
      throw new Refused(400, 10_021, `${binding.name} cannot be inherited`)
    })
    workers.set(name!, {
      bindings,
      secrets,
      migrationTag: metadata.migrations?.new_tag ?? known?.migrationTag,
      crons: known?.crons ?? [],
    })
    changes.push(`upload ${name}`)
    return {
      id: VERSION,
      deployment_id: VERSION.replaceAll('-', ''),
      etag: 'etag',
      startup_time_ms: 3,
      resources: { script: { etag: 'etag' } },
    }
  }

  return [
    [
      'GET',
      /^\/workers\/subdomain$/,
      () => {
        if (!account.subdomain) throw new Refused(404, 10_007, 'There is no subdomain')
        return { subdomain: account.subdomain }
      },
    ],
    [
      'GET',
      /^\/workers\/services\/([^/]+)$/,
      ({ parts: [name] }) => {
        const { migrationTag: migration_tag } = workerOf(name!, 10_090)
        const script = { tag: 'tag', tags: [], last_deployed_from: 'wrangler', migration_tag }
        return { id: name, default_environment: { environment: 'production', script } }
      },
    ],
    [
      'GET',
      /^\/workers\/scripts\/([^/]+)\/settings$/,
      ({ parts: [name] }) => ({ bindings: workerOf(name!).bindings }),
    ],
    [
      'GET',
      /^\/workers\/scripts\/([^/]+)\/secrets$/,
      ({ parts: [name] }) =>
        Object.keys(workerOf(name!).secrets).map((one) => ({ name: one, type: 'secret_text' })),
    ],
    [
      'PUT',
      /^\/workers\/scripts\/([^/]+)\/secrets$/,
      (call) => {
        const { name, text } = json<{ name: string; text: string }>(call)
        workerOf(call.parts[0]!).secrets[name] = text
        changes.push(`put secret ${name}`)
        return { name, type: 'secret_text' }
      },
    ],
    [
      'DELETE',
      /^\/workers\/scripts\/([^/]+)\/secrets\/([^/]+)$/,
      ({ parts: [name, secret] }) => {
        delete workerOf(name!).secrets[secret!]
        changes.push(`delete secret ${secret}`)
        return null
      },
    ],
    [
      'GET',
      /^\/workers\/scripts\/([^/]+)\/deployments$/,
      ({ parts: [name] }) => {
        workerOf(name!)
        return {
          deployments: [
            { id: 'd', source: 'wrangler', versions: [{ version_id: VERSION, percentage: 100 }] },
          ],
        }
      },
    ],
    ['POST', /^\/workers\/scripts\/[^/]+\/assets-upload-session$/, () => ({ jwt: 'a.b.c', buckets: [] })],
    // A Worker's first code, or code that changes which objects there are; and a version of what is there.
    ['PUT', /^\/workers\/scripts\/([^/]+)$/, take],
    ['POST', /^\/workers\/scripts\/([^/]+)\/versions$/, take],
    ['POST', /^\/workers\/scripts\/[^/]+\/deployments$/, () => ({ id: 'd' })],
    ['PATCH', /^\/workers\/scripts\/[^/]+\/script-settings$/, () => ({})],
    ['GET', /^\/workers\/scripts\/[^/]+\/subdomain$/, () => ({ enabled: true, previews_enabled: false })],
    ['POST', /^\/workers\/scripts\/[^/]+\/subdomain$/, (call) => json(call)],
    [
      'PUT',
      /^\/workers\/scripts\/([^/]+)\/schedules$/,
      (call) => {
        workerOf(call.parts[0]!).crons = json<{ cron: string }[]>(call).map(({ cron }) => cron)
        return {}
      },
    ],
    ['GET', /^\/zones$/, () => new Page([{ id: 'zone-1', name: 'example.com' }])],
    ['GET', /^\/zones\/[^/]+\/workers\/routes$/, () => new Page([])],
    [
      'POST',
      /^\/workers\/scripts\/[^/]+\/domains\/changeset$/,
      () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    ],
    [
      'PUT',
      /^\/workers\/scripts\/[^/]+\/domains\/records$/,
      (call) => {
        const { origins } = json<{ origins: { hostname: string }[] }>(call)
        changes.push(...origins.map(({ hostname }) => `answer at ${hostname}`))
        return origins
      },
    ],
  ]
}
