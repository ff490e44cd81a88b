// The page that `ui_url` leads to, as a browser without scripts meets it.
import { describe, expect, it } from 'vitest'
import { hogql } from '../support/endpoints'
import { ORIGIN } from '../support/harness'
import { signIn } from '../support/session'
import { createTenant } from '../support/tenant'

const pathOf = ({ ui_url: url }: { ui_url: string }) => new URL(url).pathname

describe('the page of an endpoint', () => {
  it('shows its columns and variables, and a call', async () => {
    const tenant = await createTenant()
    await tenant.variable({ name: 'Event name', default_value: "it's" })
    await tenant.variable({ name: 'Since', type: 'Date', default_value: null })
    const made = await tenant.endpoint({
      name: 'top-events',
      description: 'What <happened> most.',
      query: hogql(
        'SELECT event AS what FROM events WHERE event = {variables.event_name} AND timestamp > {variables.since}',
      ),
    })
    const response = await (await signIn(tenant)).get(pathOf(made))
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'self'/)
    const text = String(response.body)
    expect(text).toContain('<h1>top-events</h1>')
    expect(text).toContain('What &lt;happened&gt; most.')
    expect(text).toContain('Version 1, active. Answers are at most 1 day old. Never run by a key.')
    expect(text).toContain(`${ORIGIN}${made.endpoint_path}`)
    expect(text).toContain(`href="/api/projects/${tenant.projectId}/endpoints/top-events/openapi.json"`)
    expect(text).toContain('<code>event_name</code>')
    expect(text).toContain('<code>since</code>')
    expect(text).toContain('<code>what</code>')
    expect(text).not.toMatch(/<script|style="/)
  })

  it('redirects to the login page without a session, and leads back', async () => {
    const tenant = await createTenant()
    const path = pathOf(await tenant.endpoint({ name: 'mine' }))
    for (const headers of [{}, { Authorization: `Bearer ${tenant.key}` }] as Record<string, string>[]) {
      const response = await tenant.send('GET', path, { headers })
      expect(response.status).toBe(303)
      expect(response.headers.get('Location')).toBe(`/login?next=${encodeURIComponent(path)}`)
    }
  })

  it('rejects users of other organizations, and a 404 where there is nothing', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const path = pathOf(await other.endpoint({ name: 'theirs' }))
    const browser = await signIn(tenant)
    expect((await browser.get(path)).status).toBe(403)
    const own = `/project/${tenant.projectId}/endpoints/`
    for (const at of [`${own}theirs`, `${own}%00`, '/project/x/endpoints/theirs']) {
      const response = await browser.get(at)
      expect(response.status).toBe(404)
      expect(String(response.body)).toContain('Page not found')
    }
  })
})
