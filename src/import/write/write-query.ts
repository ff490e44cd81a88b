// Writes a saved query: its versions in turn, then what each of them says about itself.
import { canonicalJson } from '../fingerprint'
import type { JsonObject } from '../../json'
import { CallError } from '../call'
import type { Step } from '../plan'
import { listOf } from './write-definitions'
import type { WriteContext } from './write-context'

export async function writeQuery(
  { client, project, ids }: WriteContext,
  { item, target }: Step,
): Promise<string[]> {
  const path = `${project}endpoints/`
  const own = `${path}${encodeURIComponent(item.key)}/`
  const versions = listOf(item.value.versions)
  const here = listOf(target?.value.versions)
  const problems: string[] = []
  const numbered: { version: JsonObject; before: JsonObject | null; number: number }[] = []
  for (const { version, before, number } of versionSteps(versions, here)) {
    const body = { ...marksOf(version), query: ids.resolve(version.query as JsonObject) }
    if (number !== null) numbered.push({ version, before, number })
    else if (!target && numbered.length === 0) {
      const { derived_from_insight: insight } = item.value
      const more = {
        name: item.key,
        // An inactive query cannot be materialized: it is deactivated at the end.
        is_active: item.value.is_active === true || versions.some((each) => each.is_materialized === true),
        ...(insight ? { derived_from_insight: insight } : {}),
      }
      const written = await client.call<Written>('POST', path, { ...body, ...more })
      numbered.push({ version, before, number: written.current_version })
    } else {
      const written = await client.call<Written>('PATCH', own, body)
      numbered.push({ version, before, number: written.current_version })
    }
  }
  for (const { version, before, number } of numbered) {
    if (before && canonicalJson(before) === canonicalJson(version)) continue
    const place = `${own}?version=${number}`
    if (before) await client.call('PATCH', place, marksOf(version))
    if (version.is_materialized === true || before?.is_materialized === true) {
      const { is_materialized: isMaterialized, bucket_overrides: buckets } = version
      const body = { is_materialized: isMaterialized!, bucket_overrides: buckets ?? null }
      const what = `version ${number} is not materialized`
      problems.push(...(await attempt(what, () => client.call('PATCH', place, body))))
    }
    if (version.is_active !== (before?.is_active ?? true))
      await client.call('PATCH', place, { is_active: version.is_active! })
  }
  await client.call('PATCH', own, { is_active: item.value.is_active!, tags: item.value.tags! })
  return problems
}

interface Written {
  current_version: number
}

const marksOf = (version: JsonObject): JsonObject => ({
  description: version.description!,
  data_freshness_seconds: version.data_freshness_seconds!,
  optional_breakdown_properties: version.optional_breakdown_properties!,
})

/**
 * Versions to write, each with its form and number here, or null for one to add. Where the two sides went apart, only the current one is
 * written.
 */
function versionSteps(versions: readonly JsonObject[], here: readonly JsonObject[]) {
  const isSame = (a: JsonObject, b: JsonObject) =>
    canonicalJson(a.query ?? null) === canonicalJson(b.query ?? null)
  const stepOf = (version: JsonObject, index: number) => {
    const before = here[index] ?? null
    return { version, before, number: before ? index + 1 : null }
  }
  if (here.length <= versions.length && here.every((version, index) => isSame(version, versions[index]!)))
    return versions.map(stepOf)
  const [current, last] = [versions.at(-1)!, here.length - 1]
  return [stepOf(current, isSame(current, here[last]!) ? last : here.length)]
}

async function attempt(what: string, call: () => Promise<unknown>): Promise<string[]> {
  try {
    await call()
    return []
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 400) throw error
    return [`${what}: ${error.message}`]
  }
}
