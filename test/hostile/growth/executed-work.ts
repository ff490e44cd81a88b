// Counts the work of code without a clock: the blocks that V8 executes, and the characters that it gives to the runtime's functions of text.
import { type Profiler, Session } from 'node:inspector/promises'

const METHODS = [
  'startsWith',
  'includes',
  'indexOf',
  'match',
  'replace',
  'search',
  'split',
  'toLowerCase',
  'toUpperCase',
] as const

const session = new Session()
session.connect()

/** Code is slow from here on. */
export async function startCounting(): Promise<void> {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** Returns the executed blocks and the characters of calls. */
export async function executedWork(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  const methods = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>
  const originals = METHODS.map((name) => [name, methods[name]!] as const)
  let characters = 0
  for (const [name, original] of originals) {
    methods[name] = function count(this: string, ...args) {
      const result = original.apply(this, args)
      characters += readBy(name, this, args, result)
      return result
    }
  }
  try {
    work()
  } finally {
    for (const [name, original] of originals) methods[name] = original
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return characters + blocksIn(result)
}

/** The characters that a call reads at most: a comparison reads the part, and a search ends where it finds something. */
function readBy(
  name: (typeof METHODS)[number],
  text: string,
  [part, from]: readonly unknown[],
  result: unknown,
): number {
  if (name === 'startsWith') return String(part).length
  if (name === 'search' && Number(result) >= 0) return Number(result)
  if (name !== 'indexOf') return text.length
  const end = Number(result) < 0 ? text.length : Number(result) + String(part).length
  return end - Number(from ?? 0)
}

const blocksIn = (scripts: readonly Profiler.ScriptCoverage[]): number =>
  scripts
    .filter(({ url }) => /\/src\/|re2js/.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
