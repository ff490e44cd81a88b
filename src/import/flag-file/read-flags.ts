// Reads the flags of a project, and the names to which conditions refer.
import type { JsonObject } from '../../json'
import type { Client } from '../client'
import { readList } from '../posthog/lists'
import { namesOf, referencesByName } from '../posthog/names'
import { UnknownReference } from '../references'
import { canonicalFlag, fileFields } from './canonical'
import type { FlagFields } from './file'
import { fieldsOf, type ProjectFlags, tagsOf } from './plan'

/**
 * @param project `/api/projects/1/`
 * @throws CallError.
 */
export async function readProjectFlags(client: Client, project: string): Promise<ProjectFlags> {
  const list = (path: string) => readList(client, `${project}${path}`)
  const [types, cohorts, live, archived] = await Promise.all([
    list('groups_types/'),
    list('cohorts/'),
    list('feature_flags/'),
    list('feature_flags/?archived=true'),
  ])
  // A flag that is archived between the reads is in both lists.
  const flags = [...new Map([...live, ...archived].map((flag) => [Number(flag.id), flag])).values()]
  return { flags: flags.map(withoutShown), names: namesOf({ cohorts, flags, types, variables: [] }) }
}

/** Removes names of cohorts that reads add. */
const withoutShown = (flag: JsonObject): JsonObject => ({
  ...flag,
  filters: JSON.parse(
    JSON.stringify(flag.filters, (key, value: unknown) => (key === 'cohort_name' ? undefined : value)),
  ) as JsonObject,
})

/** The flags of a project as a file has them. */
export interface FileFlags {
  flags: Record<string, FlagFields>
  /** Problems of flags that refer to something deleted, which a file cannot express. */
  problems: { key: string; problem: string }[]
}

/** @param managedOnly leaves out flags without the tag. */
export function flagsForFile({ flags, names }: ProjectFlags, tag: string, managedOnly = false): FileFlags {
  const references = referencesByName(names)
  const written: [string, FlagFields][] = []
  const problems: FileFlags['problems'] = []
  for (const flag of flags.filter((each) => !managedOnly || tagsOf(each).includes(tag))) {
    const key = String(flag.key)
    try {
      written.push([key, fileFields(canonicalFlag(fieldsOf(flag), references), tag)])
    } catch (error) {
      if (!(error instanceof UnknownReference)) throw error
      problems.push({ key, problem: error.message })
    }
  }
  return { flags: Object.fromEntries(written.toSorted(([a], [b]) => (a < b ? -1 : 1))), problems }
}
