// Writes the table of operations in the compatibility guide, from the operations and the headings of the areas' pages.
import { anchorOf, tableOf, withPart } from './markdown'

interface Listed {
  id: string
  /** Method and path. */
  call: string
}

export interface AreaPage {
  operations: readonly Listed[]
  /** The name of the file, next to the guide. */
  file: string
  /** The text of the page. It has a heading of ids above the differences of one or more operations. */
  text: string
}

interface Section {
  anchor: string
  /** The number of items in the section's list. */
  differences: number
}

/** Returns the guide with the current table. */
export const withOperations = (guide: string, areas: readonly AreaPage[]): string =>
  withPart(
    guide,
    'operations',
    tableOf([
      ['Operation', 'Call', 'Its differences'],
      ...areas.flatMap(({ operations, file, text }) => {
        const sections = sectionsIn(text)
        return operations.filter(isListed).map((operation) => rowOf(operation, file, sections))
      }),
    ]),
  )

/** Returns whether an operation is listed: operations of environments are those of projects. */
const isListed = ({ id }: Listed): boolean => !id.startsWith('environments_')

function rowOf({ id, call }: Listed, file: string, sections: ReadonlyMap<string, Section>): string[] {
  const section = sections.get(id)
  return section
    ? [`[\`${id}\`](${file}#${section.anchor})`, `\`${call}\``, String(section.differences)]
    : [`[\`${id}\`](${file})`, `\`${call}\``, 'none known']
}

/** Returns the sections of a page by the ids in their headings. */
function sectionsIn(text: string): Map<string, Section> {
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .flatMap((section) => {
        const title = section.slice(0, section.indexOf('\n'))
        const found = { anchor: anchorOf(title), differences: section.match(/^- /gm)?.length ?? 0 }
        return [...title.matchAll(/`(\w+)`/g)].map(([, id]): [string, Section] => [id!, found])
      }),
  )
}
