// Writes figures into pages, which have the last output of a bench between `<!-- bench NAME -->` and `<!-- /bench -->`.

/**
 * Replaces the figures of a bench.
 * @returns the page; null if it has no place for this bench
 */
export function replaceFigures(page: string, name: string, figures: string): string | null {
  const [start, end] = [`<!-- bench ${name} -->\n`, '\n<!-- /bench -->']
  const from = page.indexOf(start)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) return null
  return `${page.slice(0, from + start.length)}\n${figures.trim()}\n${page.slice(to)}`
}
