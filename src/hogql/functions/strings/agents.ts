// Functions of user agents.
import { AGENT_FACTS, KNOWN_AGENTS } from '../../computed/agents'
import { INTEGER, STRING } from '../../types'
import { computed } from '../define'
import { always } from '../return-types'
import type { ScalarFunction, Site } from '../spec'

const PARTS = KNOWN_AGENTS.map(({ part }) => part).join('|')

/** Returns SQL of the place of the first known agent, from 1, or 0. */
const placeOf = (userAgent: string, { bind }: Site): string =>
  `arrayFirstIndex(part -> position(lower(ifNull(${userAgent}, '')), part) > 0, splitByChar('|', ${bind(PARTS)}))`

const facts = Object.entries(AGENT_FACTS).map(([name, { of, otherwise }]) => {
  const texts = [otherwise, ...KNOWN_AGENTS.map(of)].join('|')
  return computed(`${name} __preview_${name}`, 'string', always(STRING), {
    ofNull: otherwise,
    clickhouse: (site, userAgent) => `splitByChar('|', ${site.bind(texts)})[${placeOf(userAgent, site)} + 1]`,
  })
})

export const USER_AGENTS: readonly ScalarFunction[] = [
  computed('isLikelyBot isBot __preview_isBot', 'string', always(INTEGER), {
    isCondition: true,
    ofNull: 0,
    clickhouse: (site, userAgent) => `(${placeOf(userAgent, site)} > 0)`,
  }),
  ...facts,
]
