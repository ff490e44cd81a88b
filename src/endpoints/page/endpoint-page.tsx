// Reference page of an endpoint (decision 30): call, variables, columns, query.
import type { FC } from 'hono/jsx'
import { Brand, Card, dateTimeText, Document } from '../../pages/layout'
import type { DescribedEndpoint } from '../find-endpoint'
import { variablesOf, type Variables } from '../endpoint-openapi'
import { runPathOf } from '../endpoint-record'

interface Props extends DescribedEndpoint {
  origin: string
}

export const EndpointPage: FC<Props> = ({ origin, ...endpoint }) => {
  const { row } = endpoint
  const variables = variablesOf(endpoint)
  const url = origin + runPathOf(row.projectId, row.name)
  return (
    <Document title={row.name}>
      <div class="top">
        <div>
          <Brand />
        </div>
      </div>
      <main id="content">
        <header>
          <h1>{row.name}</h1>
          {row.description ? <p>{row.description}</p> : null}
          <p class="soft small">
            Version {row.version}, {row.isActive ? 'active' : 'inactive'}. Answers are at most{' '}
            {ageOf(row.dataFreshnessSeconds)} old.{' '}
            {row.lastExecutedAt ? `Last run ${dateTimeText(row.lastExecutedAt)}.` : 'Never run by a key.'}
          </p>
        </header>
        <Card id="call" title="Call it" about="With a key that has the scope endpoint:read.">
          <pre>
            <code>{callOf(url, variables)}</code>
          </pre>
          <p>
            <a href={`/api/projects/${row.projectId}/endpoints/${row.name}/openapi.json`}>OpenAPI document</a>
          </p>
        </Card>
        <VariablesCard variables={variables} />
        <ColumnsCard columns={row.columns} />
        <Card id="query" title="Query">
          <pre>
            <code>
              {row.query.kind === 'HogQLQuery' ? row.query.query : JSON.stringify(row.query, null, 2)}
            </code>
          </pre>
        </Card>
      </main>
    </Document>
  )
}

const VariablesCard: FC<{ variables: Variables }> = ({ variables: { properties, required } }) =>
  Object.keys(properties).length === 0 ? null : (
    <Card id="variables" title="Variables">
      <ul class="list">
        {Object.entries(properties).map(([name, { type, format, example }]) => (
          <li>
            <div class="what">
              <code>{name}</code>
              <span class="soft small">
                {String(format ?? type)}
                {required.includes(name) ? ', required' : ''}
                {example === undefined ? '' : `, such as ${JSON.stringify(example)}`}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )

const ColumnsCard: FC<{ columns: readonly { name: string; type: string }[] }> = ({ columns }) =>
  columns.length === 0 ? null : (
    <Card id="columns" title="Columns">
      <ul class="list">
        {columns.map(({ name, type }) => (
          <li>
            <div class="what">
              <code>{name}</code>
              <span class="soft small">{type}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )

const HOUR = 3600
const UNITS = [
  [24 * HOUR, 'day'],
  [HOUR, 'hour'],
  [60, 'minute'],
] as const

function ageOf(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A curl command with example values, quoted for a shell. */
function callOf(url: string, { properties, required }: Variables): string {
  const values = Object.entries(properties)
    .filter(([name, { example }]) => example !== undefined || required.includes(name))
    .map(([name, { example }]) => [name, example ?? '…'])
  const body = values.length > 0 ? { variables: Object.fromEntries(values) as unknown } : {}
  return [
    `curl -X POST '${url}'`,
    "  -H 'Authorization: Bearer <PERSONAL_API_KEY>'",
    "  -H 'Content-Type: application/json'",
    `  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join(' \\\n')
}
