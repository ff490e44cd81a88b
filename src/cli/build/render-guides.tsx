// Renders the guides to static pages.
/* @jsxRuntime automatic @jsxImportSource hono/jsx */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FC } from 'hono/jsx'
import { Marked, type Token, type Tokens } from 'marked'
import { anchorOf } from '../../docs/markdown'
import { Brand, Document } from '../../pages/layout'
import { writeWhole } from '../write-whole'

const SOURCE = join(import.meta.dirname, '../../docs/guide')
const URL_PREFIX = '/docs/guide/'

/** The page that lists the others. */
const INDEX = 'README.md'
/** Files that guides link to. */
const ATTACHMENTS = 'monitoring'

/** Minimum sections for which a page gets a list of contents. */
const MIN_LISTED_SECTIONS = 3

/** The file that the script of the pages searches. */
const SEARCH_INDEX = 'search.json'

interface Section {
  id: string
  title: string
  depth: number
  /** The text of the section, up to the next heading. */
  text: string
}

/** A guide as the index lists it, under the heading of its group. */
interface Listed {
  file: string
  title: string
  group: string
}

interface Rendered {
  title: string
  sections: readonly Section[]
  html: string
}

/** Writes the pages that have changed, and deletes those of guides that no longer exist. */
export function renderGuides(folder: string): void {
  const guides = readdirSync(SOURCE).filter((file) => file.endsWith('.md'))
  const attachments = readdirSync(join(SOURCE, ATTACHMENTS)).map((file) => `${ATTACHMENTS}/${file}`)
  const targets = new Map([
    ...guides.map((file): [string, string] => [
      file,
      file === INDEX ? URL_PREFIX : URL_PREFIX + file.slice(0, -'.md'.length),
    ]),
    ...attachments.map((file): [string, string] => [file, URL_PREFIX + file]),
  ])
  const listed = listedIn(readFileSync(join(SOURCE, INDEX), 'utf8'))
  const rendered = guides.map((file) => ({
    file,
    guide: renderGuide(file, readFileSync(join(SOURCE, file), 'utf8'), targets),
  }))
  const files = new Map([
    ...rendered.map(({ file, guide }): [string, string] => [
      file === INDEX ? 'index.html' : file.replace(/md$/, 'html'),
      `<!doctype html>${String(<GuidePage file={file} guide={guide} listed={listed} targets={targets} />)}\n`,
    ]),
    [
      SEARCH_INDEX,
      JSON.stringify(rendered.flatMap(({ file, guide }) => searched(targets.get(file)!, guide))),
    ],
    ...attachments.map((file): [string, string] => [file, readFileSync(join(SOURCE, file), 'utf8')]),
  ])
  mkdirSync(join(folder, ATTACHMENTS), { recursive: true })
  for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(parentPath, name).slice(folder.length + 1)
    if (path !== ATTACHMENTS && !files.has(path)) rmSync(join(folder, path), { recursive: true })
  }
  for (const [path, content] of files) writeChanged(join(folder, path), content)
}

/** Returns the guides in the order of the index, whose table has a row in bold above each group. */
function listedIn(index: string): Listed[] {
  let group = ''
  return [...index.matchAll(/^\| (?:\*\*(.+?)\*\*|.*\[(.+?)\]\((.+?\.md)\)) .*$/gm)].flatMap(
    ([, heading, title, file]) => {
      if (heading !== undefined) group = heading
      return title === undefined || file === undefined ? [] : [{ file, title, group }]
    },
  )
}

/** Returns what a search finds: address, titles and text of each section. */
const searched = (path: string, { title, sections }: Rendered): string[][] =>
  sections.map((section) => [
    section.depth === 1 ? path : `${path}#${section.id}`,
    title,
    section.depth === 1 ? '' : section.title,
    section.text
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/-{3,}|```\w*|[|`*[\s]+/g, ' ')
      .trim(),
  ])

/** @throws Error for a link to anything but guides and their attachments */
function renderGuide(file: string, text: string, targets: ReadonlyMap<string, string>): Rendered {
  const ids = new Set<string>()
  const sections: Section[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = textOf(tokens)
        const id = newAnchor(title, ids)
        sections.push({ id, title, depth, text: '' })
        const html = this.parser.parseInline(tokens)
        return depth === 1 ? '' : `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      // HTML in the guides consists of comments, which mark generated parts.
      html: () => '',
    },
    walkTokens(token) {
      if (token.type === 'link') token.href = resolve((token as Tokens.Link).href, file, targets)
    },
  })
  const html = (marked.parse(text) as string)
    // Wide tables scroll, also with the keyboard.
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  const title = sections.find(({ depth }) => depth === 1)?.title
  if (title === undefined) throw new Error(`${file} has no heading of level 1`)
  let at = -1
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading') at++
    else sections[at]!.text += ` ${textOf([token])}`
  }
  return { title, sections, html }
}

function resolve(href: string, file: string, targets: ReadonlyMap<string, string>): string {
  if (/^(?:https?:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = targets.get(path)
  if (target === undefined) throw new Error(`${file} links to ${path}, which is not served`)
  return anchor === undefined ? target : `${target}#${anchor}`
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? textOf(token.tokens) : token.raw))
    .join('')
    .replaceAll('`', '')

/** Returns the anchor of a heading, which is numbered if the page has several with the same title. */
function newAnchor(title: string, ids: Set<string>): string {
  const base = anchorOf(title)
  let id = base
  for (let n = 1; ids.has(id); n++) id = `${base}-${n}`
  ids.add(id)
  return id
}

interface GuideProps {
  file: string
  guide: Rendered
  listed: readonly Listed[]
  targets: ReadonlyMap<string, string>
}

const Sidebar: FC<Omit<GuideProps, 'guide'>> = ({ file, listed, targets }) => (
  <nav class="guides small" aria-label="Guides">
    {[...new Set(listed.map(({ group }) => group))].map((group) => (
      <>
        <p class="soft">{group}</p>
        <ul>
          {listed
            .filter((each) => each.group === group)
            .map((each) => (
              <li>
                <a href={targets.get(each.file)} aria-current={each.file === file ? 'page' : undefined}>
                  {each.title}
                </a>
              </li>
            ))}
        </ul>
      </>
    ))}
  </nav>
)

/** Links to the guides before and after this one, in the order of the index. */
const Neighbours: FC<Omit<GuideProps, 'guide'>> = ({ file, listed, targets }) => {
  const at = listed.findIndex((each) => each.file === file)
  const [before, after] = [at > 0 ? listed[at - 1] : undefined, listed[at + 1]]
  return (
    <nav class="row small" aria-label="Previous and next">
      {before ? (
        <a href={targets.get(before.file)} rel="prev">
          ← {before.title}
        </a>
      ) : (
        <span />
      )}
      {after ? (
        <a href={targets.get(after.file)} rel="next">
          {after.title} →
        </a>
      ) : null}
    </nav>
  )
}

const Contents: FC<{ sections: readonly Section[] }> = ({ sections }) =>
  sections.length < MIN_LISTED_SECTIONS ? null : (
    <nav class="contents small" aria-label="On this page">
      <ul>
        {sections.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )

const GuidePage: FC<GuideProps> = ({ file, guide: { title, sections, html }, listed, targets }) => (
  <Document title={title}>
    <header class="top">
      <div>
        <Brand />
        <nav class="who small" aria-label="Halyard">
          <a href="/">Console</a>
          <a href={URL_PREFIX} aria-current={file === INDEX ? 'page' : undefined}>
            Guides
          </a>
          <a href="/docs">API reference</a>
        </nav>
      </div>
    </header>
    <div class="with-guides">
      <div class="beside">
        {/* A script fills it, and shows it. */}
        <search class="search" hidden>
          <input
            type="text"
            placeholder="Search the guides"
            aria-label="Search the guides"
            autocomplete="off"
          />
          <ul class="small" aria-label="Found" />
          <p class="small soft" role="status" />
        </search>
        <Sidebar file={file} listed={listed} targets={targets} />
      </div>
      <main id="content">
        <h1>{title}</h1>
        <Contents sections={sections.filter(({ depth }) => depth === 2)} />
        <article class="guide" dangerouslySetInnerHTML={{ __html: html }} />
        <Neighbours file={file} listed={listed} targets={targets} />
      </main>
    </div>
    <script src="/docs/guide.js" defer />
  </Document>
)

/** Writes a file that has changed. Other files are not written, because `npm run dev` watches the folder. */
function writeChanged(path: string, content: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return
  writeWhole(path, content, 0o644)
}
