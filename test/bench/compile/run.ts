// Measures the processor time of compiling long texts, by shape: `npm run bench -- compile`.
import { loadCompiler } from '../compiler'

const { compileParsed, parseHogql } = await loadCompiler()

const CONTEXT = { timezone: 'UTC', variables: {}, propertyTypes: () => undefined }

const list = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index))

/** Returns texts of a shape in growing lengths. */
const SHAPES: Readonly<Record<string, { sizes: readonly number[]; write(size: number): string }>> = {
  'a list of aggregates': {
    sizes: [10, 20, 40],
    write: (size) => {
      const items = list(
        size,
        (index) =>
          `countIf(properties.p${index} = 'x' AND toDate(timestamp) > today() - ${index}) / count() AS r${index}`,
      )
      return `SELECT ${items.join(', ')} FROM events`
    },
  },
  'a chain of CTEs': {
    sizes: [10, 20, 40],
    write: (size) => {
      const steps = list(
        size - 1,
        (index) =>
          `c${index + 1} AS (SELECT x, sum(n) AS n FROM c${index} WHERE x != 'v${index}' GROUP BY x)`,
      )
      return `WITH ${['c0 AS (SELECT properties.a AS x, count() AS n FROM events GROUP BY x)', ...steps].join(', ')} SELECT * FROM c${size - 1}`
    },
  },
  'a UNION': {
    sizes: [8, 16, 32],
    write: (size) =>
      list(
        size,
        (index) =>
          `SELECT event, properties.p${index} AS x, count() FROM events WHERE timestamp > now() - INTERVAL ${index} DAY GROUP BY event, x`,
      ).join(' UNION ALL '),
  },
  'nested calls': {
    sizes: [3, 6, 12],
    write: (size) => `SELECT ${'lower('.repeat(size)}event${')'.repeat(size)} FROM events`,
  },
  'nested subqueries': {
    sizes: [3, 6, 10],
    write: (size) =>
      list(size, String).reduce(
        (inner, index) =>
          `SELECT event, max(n) + ${index} AS m FROM (${inner.replace(' AS m ', ' AS n ')}) GROUP BY event`,
        'SELECT event, count() AS m FROM events GROUP BY event',
      ),
  },
}

/** Returns the processor time in milliseconds. */
async function spent(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
print(['text', 'characters', 'parsing, ms', 'the rest, ms', 'again, ms'])
print(['---', '---:', '---:', '---:', '---:'])
parseHogql('SELECT 1')
for (const [name, { sizes, write }] of Object.entries(SHAPES)) {
  for (const size of sizes) {
    // Each text is new, because a known text is not parsed again.
    const text = (round: number) => `${write(size)} -- ${round}`
    const rounds: [parsing: number, rest: number][] = []
    for (let round = 0; round < 4; round++) {
      const parsing = await spent(() => parseHogql(text(round)))
      const parsed = parseHogql(text(round))
      rounds.push([parsing, await spent(() => compileParsed(parsed, CONTEXT))])
    }
    const again = await spent(async () => compileParsed(parseHogql(text(3)), CONTEXT))
    const least = (at: 0 | 1) => Math.round(Math.min(...rounds.slice(1).map((round) => round[at])))
    print([name, text(0).length, least(0), least(1), Math.round(again)])
  }
}
