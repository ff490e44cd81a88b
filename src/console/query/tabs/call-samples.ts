// Writes code that runs a saved query. The functions are pure.
import type { Values } from '../draft'

export interface Sample {
  name: string
  code: string
}

type Json = Readonly<Record<string, unknown>>

const sourceOf = (query: Json): Json =>
  String(query.kind).endsWith('Node') ? ((query.source ?? {}) as Json) : query

/** Returns the properties whose values a call of an insight may choose. */
export function breakdownsOf(query: Json): string[] {
  const { kind, breakdownFilter: filter } = sourceOf(query)
  if (kind !== 'TrendsQuery' && kind !== 'RetentionQuery') return []
  const { breakdown, breakdowns, breakdown_type: type } = (filter ?? {}) as Json
  if (Array.isArray(breakdowns) && breakdowns.length > 0)
    return breakdowns.map(({ property }: { property: unknown }) => String(property))
  if (breakdown === null || breakdown === undefined || type === 'cohort') return []
  return [breakdown].flat().map(String)
}

/** Variables of a call of an insight: its dates, and a value of each breakdown. Materialized rows have the dates of the query. */
export function insightVariables(query: Json, isMaterialized: boolean): Values {
  const { date_from: from, date_to: to } = (sourceOf(query).dateRange ?? {}) as Json
  return {
    ...(from && !isMaterialized ? { date_from: from } : {}),
    ...(to && !isMaterialized ? { date_to: to } : {}),
    ...Object.fromEntries(breakdownsOf(query).map((property) => [property, `a value of ${property}`])),
  }
}

interface Call {
  host: string
  projectId: number
  name: string
  /** The values of the query's variables. */
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

/** Returns a JSON value as Python writes it. */
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
