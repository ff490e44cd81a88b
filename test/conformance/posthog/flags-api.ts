// Arranging flags for real clients: through the management API, as the owner of the served project does.

export interface FlagsApi {
  /** Creates a flag. Returns its id. Throws what came back if that fails. */
  create(body: Record<string, unknown>): Promise<number>
  update(id: number, body: Record<string, unknown>): Promise<void>
}

export function flagsApi(served: { url: string; projectId: number; personalApiKey: string }): FlagsApi {
  async function call(method: string, path: string, body: Record<string, unknown>) {
    const response = await fetch(`${served.url}/api/projects/${served.projectId}/feature_flags/${path}`, {
      method,
      headers: { Authorization: `Bearer ${served.personalApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { id: number }
  }
  return {
    create: async (body) => (await call('POST', '', { _should_create_usage_dashboard: false, ...body })).id,
    update: async (id, body) => void (await call('PATCH', `${id}/`, body)),
  }
}
