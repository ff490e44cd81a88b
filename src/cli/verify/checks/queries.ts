// Checks queries, saved queries and their materialized rows, and tools for language models.
import { type Check, until } from '../check'
import { ensure } from '../outcome'
import { describe } from '../service'

const ENGINE =
  'Queries run on the shard EVENTS, which /ready probes, or on ClickHouse where CLICKHOUSE_URL is set, whose failures are in the log only. Check QUERY_GATES among [[durable_objects.bindings]].'

interface Run {
  results: unknown[][]
}

export const queryChecks: readonly Check[] = [
  {
    name: 'A query runs',
    async check({ project }) {
      const { query } = await project()
      const rows = await query("SELECT 6 * 7 AS answer, concat('hal', 'yard') AS name")
      ensure(JSON.stringify(rows) === '[[42,"halyard"]]', `it answered ${JSON.stringify(rows)}`)
    },
    advice: ENGINE,
  },
  {
    name: 'A statement of a million rows is not cut off',
    async check({ project }) {
      const { query } = await project()
      const rows = await query('SELECT sum(number) FROM numbers(1000000)')
      ensure(Number(rows[0]?.[0]) === 499_999_500_000, `it answered ${JSON.stringify(rows)}`)
    },
    advice: ENGINE,
  },
  {
    name: 'A saved query runs, and its run is logged',
    async check(context) {
      const { call } = await context.project()
      const query = { kind: 'HogQLQuery', query: "SELECT 'first' AS word" }
      await call('POST', 'endpoints/', { name: 'verify_saved', query })
      const { results } = await call<Run>('POST', 'endpoints/verify_saved/run/', {})
      ensure(JSON.stringify(results) === '[["first"]]', `it answered ${JSON.stringify(results)}`)
      await until(context, 30, 'the log of the saved query had no run', async () =>
        (await call<{ results: unknown[] }>('GET', 'endpoints/verify_saved/logs/')).results.length > 0
          ? true
          : null,
      )
    },
    advice: ENGINE,
  },
  {
    name: 'A saved query is materialized, and runs from its rows',
    async check(context) {
      const { call } = await context.project()
      const query = { kind: 'HogQLQuery', query: 'SELECT number, number * 2 AS twice FROM numbers(3)' }
      await call('POST', 'endpoints/', { name: 'verify_rows', query, is_materialized: true })
      const { took } = await until(context, 90, 'the rows were not built', async () => {
        const status = await call<{ ready: boolean; status: string; error: string }>(
          'GET',
          'endpoints/verify_rows/materialization_status/',
        )
        ensure(status.status !== 'Failed', `the build failed: ${status.error}`)
        return status.ready ? true : null
      })
      const { results } = await call<Run>('POST', 'endpoints/verify_rows/run/', {})
      ensure(
        JSON.stringify(results.sort()) === '[[0,0],[1,2],[2,4]]',
        `it answered ${JSON.stringify(results)}`,
      )
      await until(context, 30, 'no run was logged as one from materialized rows', async () => {
        const logs = await call<{ results: { message: string }[] }>('GET', 'endpoints/verify_rows/logs/')
        return logs.results.some(({ message }) => message.includes('path=materialized')) ? true : null
      })
      return `built after ${took}`
    },
    advice:
      "The queue that ends in -builds builds rows, and the minute's trigger sends what is due: `npx wrangler queues list` shows the consumer. The log has `a materialization was not built` with the reason.",
  },
  {
    name: 'The tools for language models are listed',
    async check({ service }) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const answer = await service.sendWithKey('POST', '/mcp', { body })
      ensure(answer.status === 200, describe('POST /mcp', answer))
      const { result } = answer.json<{ result?: { tools: { name: string }[] } }>()
      const tools = result?.tools ?? []
      const hasFlags = tools.some(({ name }) => name === 'feature-flag-get-all')
      ensure(hasFlags, describe('POST /mcp', answer))
      return `${tools.length} tools`
    },
    advice:
      'A firewall in front of the Worker may reject the path /mcp: let it through as it is. After a 403, use a key with all scopes.',
  },
]
