// Collects the documentation of operations and schemas. Runs in Node only.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { GroupDocs, OperationDocs, SchemaDocs, TagDocs } from '../http/docs/operation-docs'

export interface Docs {
  /** Documentation by operation id. An operation inside environments has that of the same operation inside projects. */
  operations: Record<string, OperationDocs>
  /** Documentation by the name of the schema in the document. */
  schemas: Record<string, SchemaDocs>
  /** Tags of groups that have a description. */
  tags: TagDocs[]
  /** Tags by operation id, if they differ from that of the area. */
  tagOf: Record<string, TagDocs>
}

const SOURCE = join(import.meta.dirname, '..')
const EXPORT = /^export const (\w+)Docs = /gm

/** Returns the id of the same operation inside projects. An operation inside environments only has another path. */
export const inProject = (id: string) => id.replace(/^environments_/, '')

/**
 * Pairs each export `xDocs` with the schema `x`, the operation `xOperation` or the list of operations `x` of the same module.
 * @throws Error when a module has no `x`, when a schema has no id, or when something is documented twice
 */
export async function collectDocs(): Promise<Docs> {
  const docs: Docs = { operations: {}, schemas: {}, tags: [], tagOf: {} }
  for (const file of globSync('**/*.ts', { cwd: SOURCE }).toSorted()) {
    const names = [...readFileSync(join(SOURCE, file), 'utf8').matchAll(EXPORT)].map(([, name]) => name!)
    if (names.length === 0) continue
    const module = (await import(join(SOURCE, file))) as Record<string, unknown>
    for (const name of names)
      addTo(docs, module[name] ?? module[`${name}Operation`], module[`${name}Docs`], `${file}: ${name}`)
  }
  return docs
}

function addTo(docs: Docs, documented: unknown, read: unknown, name: string): void {
  const value = (read as () => unknown)()
  if (Array.isArray(documented)) return addGroup(docs, documented, value as GroupDocs)
  const target = documented instanceof z.ZodType ? docs.schemas : docs.operations
  const id = documented instanceof z.ZodType ? documented.meta()?.id : idOf(documented)
  if (id === undefined) throw new Error(`${name} is neither an operation nor a schema with an id`)
  const key = inProject(id)
  if (key in target) throw new Error(`${name} is documented twice`)
  Object.assign(target, { [key]: value })
}

function addGroup(docs: Docs, operations: readonly Grouped[], { tags = [] }: GroupDocs): void {
  docs.tags.push(...tags.map(([, tag]) => tag).filter(({ description }) => description !== undefined))
  for (const { id, path, paths } of operations) {
    const [, tag] = tags.find(([pattern]) => pattern.test(path ?? paths![0])) ?? []
    if (tag) docs.tagOf[id] = tag
  }
}

interface Grouped {
  id: string
  path?: string
  paths?: readonly [string, ...string[]]
}

const idOf = (documented: unknown): string | undefined => (documented as { id?: string } | undefined)?.id
