// Counts the published queries that each engine computes, and why the others are rejected: `npm run bench -- published`. With ALL in the
// environment, every rejected query is printed too.
import type { Dialect } from '../../../src/hogql/compiled'
import { propertyType } from '../../hogql/corpus/dataset'
import { loadCompiler } from '../compiler'
import { PUBLISHED, VARIABLES } from '../../hogql/published/published'

const { compileHogql } = await loadCompiler()

const context = {
  timezone: 'UTC',
  variables: Object.fromEntries(Object.entries(VARIABLES).map(([name, { type }]) => [name, type])),
  propertyTypes: propertyType,
  findCohort: () => 1,
  findAction: () => [{ event: '$autocapture', selector: 'button' }],
}

/** Returns why an engine cannot run a query, or null where it can. */
async function rejections(sql: string): Promise<Record<Dialect, string | null>> {
  try {
    const { queries } = await compileHogql(sql, context)
    const reasonOf = (dialect: Dialect) => {
      const query = queries[dialect]
      return 'refusal' in query ? query.refusal : null
    }
    return { sqlite: reasonOf('sqlite'), clickhouse: reasonOf('clickhouse') }
  } catch (error) {
    const { message } = error as Error
    return { sqlite: message, clickhouse: message }
  }
}

const queries = PUBLISHED.flatMap((page) => page.queries)
const reasons: Record<Dialect, Map<string, number>> = { sqlite: new Map(), clickhouse: new Map() }
for (const sql of queries) {
  for (const [dialect, reason] of Object.entries(await rejections(sql)) as [Dialect, string | null][]) {
    if (reason === null) continue
    const short = reason.split('\n', 1)[0]!.slice(0, 140)
    reasons[dialect].set(short, (reasons[dialect].get(short) ?? 0) + 1)
    if (process.env.ALL) process.stdout.write(`${dialect}: ${short}\n  ${sql.replace(/\s+/g, ' ')}\n`)
  }
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
print(['engine', 'queries', 'answered', 'share'])
print(['---', '---:', '---:', '---:'])
for (const [dialect, name] of [
  ['sqlite', 'D1'],
  ['clickhouse', 'ClickHouse'],
] as const) {
  const rejected = [...reasons[dialect].values()].reduce((sum, count) => sum + count, 0)
  const answered = queries.length - rejected
  print([name, queries.length, answered, `${Math.floor((100 * answered) / queries.length)} %`])
}
process.stdout.write('\n')
print(['reason', 'D1', 'ClickHouse'])
print(['---', '---:', '---:'])
const all = new Set([...reasons.sqlite.keys(), ...reasons.clickhouse.keys()])
const countOf = (reason: string) => reasons.sqlite.get(reason) ?? reasons.clickhouse.get(reason) ?? 0
for (const reason of [...all].sort((a, b) => countOf(b) - countOf(a))) {
  print([reason.replaceAll('|', '\\|'), reasons.sqlite.get(reason) ?? 0, reasons.clickhouse.get(reason) ?? 0])
}
