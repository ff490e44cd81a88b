// Renders the guides to static pages.
/* @jsxRuntime automatic @jsxImportSource hono/jsx */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FC } from 'hono/jsx'
import { Marked, type Token, type Tokens } from 'marked'
import { Brand, Document } from '../../pages/layout'

const SOURCE = join(import.meta.dirname, '../../docs/guide')
const URL_PREFIX = '/docs/guide/'

/** The page that lists the others. */
const INDEX = 'README.md'
/** Files that guides link to. */
const ATTACHMENTS = 'monitoring'

/** Fewer sections need no list of contents. */
const MIN_LISTED_SECTIONS = 3

interface Section {
  id: string
  title: string
  depth: number
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
  const files = new Map([
    ...guides.map((file): [string, string] => [
      file === INDEX ? 'index.html' : file.replace(/md$/, 'html'),
      renderGuide(file, readFileSync(join(SOURCE, file), 'utf8'), targets),
    ]),
    ...attachments.map((file): [string, string] => [file, readFileSync(join(SOURCE, file), 'utf8')]),
  ])
  mkdirSync(join(folder, ATTACHMENTS), { recursive: true })
  for (const { name, parentPath } of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(parentPath, name).slice(folder.length + 1)
    if (path !== ATTACHMENTS && !files.has(path)) rmSync(join(folder, path), { recursive: true })
  }
  for (const [path, content] of files) writeChanged(join(folder, path), content)
}

/** @throws Error for a link to anything but guides and their attachments */
function renderGuide(file: string, text: string, targets: ReadonlyMap<string, string>): string {
  const ids = new Set<string>()
  const sections: Section[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = textOf(tokens)
        const id = anchorOf(title, ids)
        sections.push({ id, title, depth })
        const html = this.parser.parseInline(tokens)
        return depth === 1 ? '' : `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      // Comments, which mark generated parts.
      html: () => '',
    },
    walkTokens(token) {
      if (token.type === 'link') token.href = resolve((token as Tokens.Link).href, file, targets)
    },
  })
  const html = (marked.parse(text) as string)
    // Wide tables scroll, also by keyboard.
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  const title = sections.find(({ depth }) => depth === 1)?.title
  if (title === undefined) throw new Error(`${file} has no heading of level 1`)
  const listed = sections.filter(({ depth }) => depth === 2)
  const page = <GuidePage title={title} isIndex={file === INDEX} sections={listed} html={html} />
  return `<!doctype html>${String(page)}\n`
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

/** As GitHub makes it, so that links work in both places. */
function anchorOf(title: string, ids: Set<string>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
  let id = base
  for (let n = 1; ids.has(id); n++) id = `${base}-${n}`
  ids.add(id)
  return id
}

interface GuideProps {
  title: string
  isIndex: boolean
  sections: readonly Section[]
  html: string
}

const GuidePage: FC<GuideProps> = ({ title, isIndex, sections, html }) => (
  <Document title={title}>
    <header class="top">
      <div>
        <Brand />
        <nav class="who small" aria-label="Halyard">
          <a href="/">Console</a>
          <a href={URL_PREFIX} aria-current={isIndex ? 'page' : undefined}>
            Guides
          </a>
          <a href="/docs">API reference</a>
        </nav>
      </div>
    </header>
    <main id="content">
      <h1>{title}</h1>
      {sections.length < MIN_LISTED_SECTIONS ? null : (
        <nav class="contents small" aria-label="On this page">
          <ul>
            {sections.map(({ id, title: section }) => (
              <li>
                <a href={`#${id}`}>{section}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <article class="guide" dangerouslySetInnerHTML={{ __html: html }} />
    </main>
  </Document>
)

/** Atomically, because servers may read, and only changes, because `npm run dev` watches the folder. */
function writeChanged(path: string, content: string): void {
  try {
    if (readFileSync(path, 'utf8') === content) return
  } catch {
    // It does not exist yet.
  }
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}
