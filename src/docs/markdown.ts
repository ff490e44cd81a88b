// Parts of the Markdown of guides.

/** Returns the anchor of a heading, as GitHub makes it. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** Returns a table in Markdown, as the formatter aligns it. */
export function tableOf(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

/**
 * Replaces the text between the comments that mark a generated part of a guide: `<!-- name -->` and `<!-- end of name -->`.
 * @throws Error for a guide without the comments
 */
export function withPart(guide: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest = ''] = guide.split(start)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`the guide has no place for the ${name}`)
  return `${before}${start}\n\n${text}\n\n${end}${after}`
}
