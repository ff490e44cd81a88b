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
