import { env } from 'cloudflare:workers'

/** How often a property is tried: a few times in `npm test`, and `FUZZ_RUNS` times if that is set. */
export const propertyRuns = (few: number, many: number): number => (env.FUZZ_RUNS ? many : few)
