// The project object of a tenant, seen from inside: with its database or its KV replaced.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { ProjectObjects } from '../../src/deps'
import { createProjectObjects } from '../../src/project/project-client'
import { PublishedSnapshots } from '../../src/project/published-snapshots'
import type { ProjectObject } from '../../src/project/project-object'
import type { Published } from '../../src/snapshots/manifest'
import { FORMAT, type PartContent, partKey, type Pointer, pointerKey } from '../../src/snapshots/manifest'
import { decodePart, parsePart } from '../../src/snapshots/parts'
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
export function partOf(texts: readonly string[]): 'targets' | 'chunk' | 'build' | 'other' {
  if (texts.some((text) => text.includes('from "early_access_features"'))) return 'targets'
  if (texts.some((text) => text.startsWith('update "feature_flags"'))) return 'chunk'
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
  runInDurableObject(objectOf(of), (object) => (object as unknown as ProjectObject).snapshots.settled())

/** Has the living object put what it publishes into KV at once, as if it did so seldom. */
export const putAtOnce = (of: Of): Promise<void> =>
  runInDurableObject(objectOf(of), (object, { storage }) => {
    const snapshots = new PublishedSnapshots(storage, env.SNAPSHOTS, { intervalMs: 0 })
    Reflect.set(object, 'snapshots', snapshots)
  })

/** The manifest in KV. */
export async function manifestOf(of: Of): Promise<Pointer | null> {
  await settled(of)
  return env.SNAPSHOTS.get<Pointer>(pointerKey(of.projectId), 'json')
}

/** What KV says about which generation is current. */
export async function pointerOf(of: Of): Promise<Pick<Pointer, 'generation' | 'checked_at'> | null> {
  const manifest = await manifestOf(of)
  return manifest && { generation: manifest.generation, checked_at: manifest.checked_at }
}

/** Keys in KV of the parts that are current, in the order of the manifest. */
export async function partKeysOf(of: Of): Promise<string[]> {
  const manifest = await manifestOf(of)
  return manifest!.parts.map(({ hash }) => partKey(of.projectId, hash))
}

const joined = (contents: readonly PartContent[]) => ({
  flags: contents.flatMap(({ flags }) => flags),
  cohorts: contents.flatMap(({ cohorts }) => cohorts),
})

/** What readers far away see: the generation, and what KV has of its parts. */
export async function storedSnapshot(of: Of) {
  const { generation, parts } = (await manifestOf(of))!
  const contents = await Promise.all(parts.map(({ hash }) => storedContent(of, hash)))
  return { generation, ...joined(contents.filter((content) => content !== null)) }
}

/** The content of a part in KV; null without it. */
export async function storedContent({ projectId }: Of, hash: string): Promise<PartContent | null> {
  const stored = await env.SNAPSHOTS.get(partKey(projectId, hash), { type: 'arrayBuffer' })
  return stored && decodePart(hash, stored)
}

/** The generation that a call of the object returns, with the content of the parts that come with it. */
export const returnedSnapshot = (published: Published | null) =>
  published && {
    generation: published.pointer.generation,
    checkedAt: published.pointer.checked_at,
    ...joined(Object.values(published.parts).map(parsePart)),
  }

/** A manifest whose parts are nowhere. */
export const lostManifest = (projectId: number, generation: number, checkedAt: number): Pointer => ({
  format: FORMAT,
  project_id: projectId,
  generation,
  checked_at: checkedAt,
  timezone: 'UTC',
  quota_limited: [],
  group_type_mapping: {},
  property_matching_version: 1,
  parts: [{ hash: 'f'.repeat(64), bytes: 1, heap: 1, kind: 'all', from: 0, put_at: 0 }],
})
