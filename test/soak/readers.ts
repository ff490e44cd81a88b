// An application: flags by token, local evaluation, OFREP. A flag that nobody changes has to be on in every response, faults or not.
import type { Credentials } from '../../src/cli/local/credentials'
import type { Client } from './client'
import type { Random } from './random'

const ANCHOR = 'anchor'

export async function createReader(
  client: Client,
  tenant: Credentials,
  random: Random,
): Promise<() => Promise<void>> {
  const key = { Authorization: `Bearer ${tenant.personal_api_key}` }
  const token = { Authorization: `Bearer ${tenant.project_api_token}` }
  const made = await client.write('POST', `/api/projects/${tenant.project_id}/feature_flags/`, {
    body: { key: ANCHOR, filters: { groups: [{ properties: [], rollout_percentage: 100 }] } },
    headers: key,
  })
  if (made?.status !== 201) throw new Error('the flag that readers look at was not created')

  return async () => {
    const person = `person-${random.between(1, 300)}`
    const roll = random.next()
    if (roll < 0.5) {
      const { status, body } = await client.send('POST', '/flags?v=2', {
        body: { api_key: tenant.project_api_token, distinct_id: person },
      })
      if (status === 200 && body.flags?.[ANCHOR]?.enabled !== true)
        client.violate(`/flags: ${ANCHOR} is not on`)
      else if (status >= 400 && status < 500) client.violate(`/flags: ${status}`)
      return
    }
    if (roll < 0.75) {
      const path = `/api/feature_flag/local_evaluation?token=${tenant.project_api_token}&send_cohorts`
      const { status, body } = await client.send('GET', path, { headers: key })
      const isThere = status !== 200 || (body.flags as { key: string }[]).some((flag) => flag.key === ANCHOR)
      if (!isThere || (status >= 400 && status < 500))
        client.violate(`local evaluation: ${status}, without ${ANCHOR}`)
      return
    }
    const { status, body } = await client.send('POST', `/ofrep/v1/evaluate/flags/${ANCHOR}`, {
      body: { context: { targetingKey: person } },
      headers: token,
    })
    if ((status === 200 && body.value !== true) || (status >= 400 && status < 500)) {
      client.violate(`OFREP: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
  }
}
