// The flags of a project, and the names that conditions refer to.
import type { JsonObject } from '../../json'
import type { Client } from '../client'
import { readList } from '../posthog/lists'
import { cohortKeys, referencesByName } from '../posthog/names'
import { canonicalFlag, fileFields } from './canonical'
import type { FlagFields } from './file'
import { fieldsOf, type ProjectFlags, tagsOf } from './plan'

/** @param project `/api/projects/1/` @throws CallError. */
export async function readProjectFlags(client: Client, project: string): Promise<ProjectFlags> {
  const list = (path: string) => readList(client, `${project}${path}`)
  const [types, cohorts, live, archived] = await Promise.all([
    list('groups_types/'),
    list('cohorts/'),
    list('feature_flags/'),
    list('feature_flags/?archived=true'),
  ])
  // A flag that is archived meanwhile is in both lists.
  const flags = [...new Map([...live, ...archived].map((flag) => [Number(flag.id), flag])).values()]
  return {
    flags: flags.map(withoutShown),
    names: {
      cohorts: cohortKeys(cohorts),
      flags: new Map(flags.map(({ id, key }) => [Number(id), String(key)])),
      groupTypes: new Map(types.map((type) => [Number(type.group_type_index), String(type.group_type)])),
      variables: new Map(),
    },
  }
}

/** Without names of cohorts that reads add. */
const withoutShown = (flag: JsonObject): JsonObject => ({
  ...flag,
  filters: JSON.parse(
    JSON.stringify(flag.filters, (key, value: unknown) => (key === 'cohort_name' ? undefined : value)),
  ) as JsonObject,
})

/** The flags of a project as a file has them, by key. @param only flags with this tag; default: all. */
export function flagsForFile(
  { flags, names }: ProjectFlags,
  tag: string,
  { only }: { only?: string } = {},
): Record<string, FlagFields> {
  const references = referencesByName(names)
  return Object.fromEntries(
    flags
      .filter((flag) => only === undefined || tagsOf(flag).includes(only))
      .map((flag): [string, FlagFields] => [
        String(flag.key),
        fileFields(canonicalFlag(fieldsOf(flag), references), tag),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
