import { env } from 'cloudflare:workers'

/** How often a property is tried: a few times in `npm test`, many times where `FUZZ_RUNS` is set. */
export const propertyRuns = (few: number, many: number): number => (env.FUZZ_RUNS ? many : few)
