// What the reference says of dashboards.
import type { Words } from '../docs/words'
import { ada } from '../http/docs/examples'
import { daysOf } from './tile-data'
import { usageDashboardName, usageTiles } from './usage-dashboard'

const FLAG = 'new-checkout'
const NOW = new Date('2026-04-02T12:00:00Z')

/** A line of a chart whose last days have these numbers, and the others none. */
function line(answer: string, last: readonly number[], days: readonly string[]) {
  const data = days.map((_, index) => last[index - days.length + last.length] ?? 0)
  const count = data.reduce((sum, value) => sum + value, 0)
  return { label: answer, breakdown_value: answer, count, data, days }
}

const tiles = usageTiles(FLAG).map(({ name, query }, index) => {
  const days = daysOf(query, NOW)
  const id = index + 1
  // The second tile counts people, who are fewer than their calls.
  const numbers =
    index === 0
      ? [
          [412, 398],
          [61, 73],
        ]
      : [
          [128, 119],
          [20, 24],
        ]
  return {
    id,
    insight: {
      id,
      name,
      query,
      result: [line('true', numbers[0]!, days), line('false', numbers[1]!, days)],
    },
  }
})

export const dashboardWords: Words = {
  schemas: {
    Dashboard: {
      is: 'Charts of what happened in a project. Each flag has one about its own use.',
      fields: {
        id: 'Id of the dashboard.',
        name: 'What people call it.',
        description: 'What it shows, in words; may be empty.',
        created_by: 'Who made it; null when it was no user.',
        created_at: 'When it was made (ISO 8601, UTC, microseconds).',
        tiles: 'Its charts, in the order in which they were added.',
        'tiles.id': 'Id of the tile.',
        'tiles.insight': 'The chart on the tile.',
        'tiles.insight.id': 'Id of the chart: that of its tile.',
        'tiles.insight.name': 'Heading of the chart.',
        'tiles.insight.query': 'What is counted: a `TrendsQuery` of one series, by day.',
        'tiles.insight.result':
          'The lines of the chart, the largest first; one of zeros where nothing happened.',
        'tiles.insight.result.label':
          'What the line is called: what the flag answered, else the name of the event.',
        'tiles.insight.result.breakdown_value':
          'What the flag answered: `true`, `false` or the key of a variant. Null for a line that is about all answers.',
        'tiles.insight.result.count': 'The sum of `data`.',
        'tiles.insight.result.data':
          'A number for each day, oldest first: events, or people who sent one, as the query says.',
        'tiles.insight.result.days':
          'The days, `YYYY-MM-DD` in UTC, as many as `data` has numbers. The last is today.',
      },
      example: {
        id: 1,
        name: usageDashboardName(FLAG),
        description: '',
        created_by: ada,
        created_at: '2026-04-02T09:00:00Z',
        tiles,
      },
    },
  },
  operations: {
    dashboards_retrieve: {
      parameters: { id: { is: 'Id of the dashboard, as a flag has it in `usage_dashboard`.', example: 1 } },
    },
  },
}
