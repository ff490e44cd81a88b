import { getRouteApi } from '@tanstack/react-router'
import { type Change, type Difference, differencesOf, setsIn } from './differences'
import { useWording } from './use-wording'

/** Differences as sentences, with long values one below the other. */
export const DifferenceList = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? null : (
    <ul className="differences">
      {differences.map(({ sentence, before, after }, index) => (
        // Two differences may have the same words.
        <li key={index} className="difference">
          <span>{sentence}</span>
          {before !== null && <del>{before}</del>}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )

const project = getRouteApi('/project/$projectId')

/** The differences of changed fields, with the names of the project's group types, cohorts and flags. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const { projectId } = project.useParams()
  const wording = useWording(projectId, changes.flatMap(setsIn))
  return <DifferenceList differences={changes.flatMap((change) => differencesOf(change, wording))} />
}
