// Code that runs a saved query. Pure.
import type { Values } from './draft'

export interface Sample {
  name: string
  code: string
}

interface Call {
  host: string
  projectId: number
  name: string
  /** Of the query's variables. */
  values: Values
}

export function callSamples({ host, projectId, name, values }: Call): Sample[] {
  const url = `${host}/api/projects/${projectId}/endpoints/${name}/run`
  const body = Object.keys(values).length > 0 ? { variables: values } : {}
  const json = JSON.stringify(body)
  const pretty = JSON.stringify(body, null, 2)
  return [
    {
      name: 'curl',
      code: `# $KEY: a personal API key with the scope endpoint:read
curl '${url}' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${json.replaceAll("'", String.raw`'\''`)}'`,
    },
    {
      name: 'JavaScript',
      code: `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(pretty)}),
})
if (!response.ok) throw new Error((await response.json()).detail)
const { results, columns } = await response.json()`,
    },
    {
      name: 'Python',
      code: `import os
import requests

response = requests.post(
    '${url}',
    headers={'Authorization': f'Bearer {os.environ["KEY"]}'},
    json=${indented(asPython(body), '    ')},
    timeout=30,
)
response.raise_for_status()
results = response.json()['results']`,
    },
  ]
}

const indented = (text: string, by = '  '): string => text.replaceAll('\n', `\n${by}`)

/** A JSON value as Python writes it. */
function asPython(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(asPython).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${asPython(each)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
