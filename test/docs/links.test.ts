import { expect, it } from 'vitest'

/** By path from the root of the repository. */
const pages = Object.fromEntries(
  Object.entries(
    import.meta.glob(
      [
        '../../*.md',
        '../../LICENSE',
        '../../src/docs/{guide,decisions,reference}/*.md',
        '../../test/*/README.md',
      ],
      {
        query: '?raw',
        import: 'default',
        eager: true,
      },
    ),
  ).map(([path, text]) => [new URL(path, 'file:///test/docs/').pathname.slice(1), text]),
)

/** Pictures, and files to load into other programs: their paths alone. */
const files = new Set(
  Object.keys(import.meta.glob(['../../src/docs/guide/{images,monitoring}/*'])).map((path) =>
    new URL(path, 'file:///test/docs/').pathname.slice(1),
  ),
)

const withoutCode = (text: string) => text.replaceAll(/```.*?```/gs, '')

/** Anchors of headings, as GitHub makes them. */
const anchorsIn = (text: string) =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

it.each(Object.keys(pages))('links of %s lead to pages, headings and files that exist', (page) => {
  const targets = [...withoutCode(pages[page]!).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(
    ([, target]) => target!,
  )
  const broken = targets.filter((target) => {
    const { pathname, hash } = new URL(target, `file:///${page}`)
    const text = pages[pathname.slice(1)]
    if (files.has(pathname.slice(1))) return false
    return text === undefined || (hash !== '' && !anchorsIn(text).includes(hash.slice(1)))
  })
  expect(broken).toEqual([])
})
