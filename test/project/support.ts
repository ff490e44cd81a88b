// The project object of a tenant, seen from inside: with its database or its KV replaced.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { ProjectObjects } from '../../src/deps'
import { createProjectObjects } from '../../src/project/project-client'
import { Publisher } from '../../src/project/publisher'
import type { ProjectObject } from '../../src/project/project-object'
import { documentInKv, type Mark, parseDocument, type Snapshot } from '../../src/snapshots/document'
import { createMeter } from '../../src/storage/metered-d1'
import { database } from '../support/tenant'

type Of = { projectId: number }

/** The object that keeps a project's work in order. */
export const objectOf = ({ projectId }: Of) => env.PROJECTS.getByName(`project:${projectId}`)

/** The Worker's end of all objects, whose cost is not counted; what it publishes is in KV. */
export function gateway(): ProjectObjects {
  const objects = createProjectObjects(env.PROJECTS, createMeter())
  return {
    ...objects,
    async publish(projectId, ...rest) {
      const published = await objects.publish(projectId, ...rest)
      await settled({ projectId })
      return published
    },
  }
}

/** Gives the living object another database; an object that comes back after it has the real one again. */
export const replaceDatabase = (of: Of, replace: (real: D1Database) => D1Database): Promise<void> =>
  runInDurableObject(objectOf(of), (object) => {
    const bindings = Reflect.get(object, 'env') as Env
    Reflect.set(object, 'env', { ...bindings, DB: replace(bindings.DB) })
  })

/** A database of which `batch` is something else. It is told the SQL of its statements. */
export function withBatch(
  real: D1Database,
  batch: (texts: string[], run: () => Promise<D1Result[]>) => Promise<D1Result[]>,
): D1Database {
  const texts = new WeakMap<object, string>()
  return {
    prepare: (text: string) => ({
      bind(...values: unknown[]) {
        const statement = real.prepare(text).bind(...values)
        texts.set(statement, text)
        return statement
      },
    }),
    batch: (statements: D1PreparedStatement[]) =>
      batch(
        statements.map((statement) => texts.get(statement)!),
        () => real.batch(statements),
      ),
  } as unknown as D1Database
}

/** Which part of the object's work a batch is. */
export function partOf(texts: readonly string[]): 'targets' | 'deletion' | 'build' | 'other' {
  if (texts.some((text) => text.includes('from "early_access_features"'))) return 'targets'
  if (texts.some((text) => text.startsWith('update "feature_flags"'))) return 'deletion'
  return texts.some((text) => text.includes('from "group_types"')) ? 'build' : 'other'
}

/** The generation of a project that D1 holds. */
export async function generationOf({ projectId }: Of): Promise<number> {
  const [row] = await database()
    .select({ generation: projects.flagsGeneration })
    .from(projects)
    .where(eq(projects.id, projectId))
  return row!.generation
}

/** Waits until the object has put into KV what it published. */
export const settled = (of: Of): Promise<void> =>
  runInDurableObject(objectOf(of), (object) => (object as unknown as ProjectObject).publisher.settled())

/** Gives the living object another publisher. */
export const replacePublisher = (
  of: Of,
  options: ConstructorParameters<typeof Publisher>[2],
  kv: KVNamespace = env.SNAPSHOTS,
): Promise<void> =>
  runInDurableObject(objectOf(of), (object, { storage }) => {
    Reflect.set(object, 'publisher', new Publisher(storage, kv, options))
  })

/** Has the living object put what it publishes into KV at once, as if it did so seldom. */
export const putAtOnce = (of: Of): Promise<void> => replacePublisher(of, { putIntervalMs: 0 })

/** What KV says about the document of a project, without its text. */
export async function markInKv(of: Of): Promise<Mark | null> {
  await settled(of)
  const found = await documentInKv(env.SNAPSHOTS, of.projectId)
  await found?.body.cancel()
  if (!found) return null
  const { generation, checkedAt, heap } = found.mark
  return { generation, checkedAt, heap }
}

/** The document in KV. */
export async function documentOf(of: Of): Promise<Snapshot | null> {
  await settled(of)
  const found = await documentInKv(env.SNAPSHOTS, of.projectId)
  return found && parseDocument(await new Response(found.body).bytes())
}
