import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { groupTypesQuery } from '../api/queries'
import { type Change, type Difference, differencesOf, isAboutGroups } from './differences'

/** What was and what is, one under the other. */
export const DifferenceList = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? null : (
    <ul className="differences">
      {differences.map(({ what, before, after }) => (
        <li key={what} className="difference">
          <span className="label">{what}</span>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )

const project = getRouteApi('/project/$projectId')

/** The differences that changes of fields make, with the names of the project's group types. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const { projectId } = project.useParams()
  const types = useQuery({ ...groupTypesQuery(projectId), enabled: changes.some(isAboutGroups) })
  const groupTypeOf = (index: number) =>
    types.data?.find((type) => type.group_type_index === index)?.group_type ?? String(index)
  return <DifferenceList differences={changes.flatMap((change) => differencesOf(change, groupTypeOf))} />
}
