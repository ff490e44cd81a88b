import { getRouteApi } from '@tanstack/react-router'
import { type Change, type Difference, differencesOf, setsIn } from './differences'
import { useWording } from './use-wording'

/** What changes, in sentences; long values one under the other. */
export const DifferenceList = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? null : (
    <ul className="differences">
      {differences.map(({ sentence, before, after }, index) => (
        // Two may have the same words.
        <li key={index} className="difference">
          <span>{sentence}</span>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )

const project = getRouteApi('/project/$projectId')

/** The differences that changes of fields make, with the names of the project's group types, cohorts and flags. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const { projectId } = project.useParams()
  const wording = useWording(projectId, changes.flatMap(setsIn))
  return <DifferenceList differences={changes.flatMap((change) => differencesOf(change, wording))} />
}
