import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../design/button'
import { type Change, type Difference, differencesOf, setsIn } from './differences'
import { excerptsOf, isLong } from './excerpt'
import { useWording } from './use-wording'

/** Differences as sentences, with long values one below the other. */
const DifferenceList = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? null : (
    <ul className="differences">
      {differences.map((difference, index) => (
        // Two differences may have the same words.
        <DifferenceItem key={index} {...difference} />
      ))}
    </ul>
  )

function DifferenceItem({ sentence, before, after }: Difference) {
  const [isWhole, setWhole] = useState(false)
  const [from, to] = isWhole ? [before, after] : excerptsOf(before, after)
  return (
    <li className="difference">
      <span>{sentence}</span>
      {from !== null && <del>{from}</del>}
      {to !== null && <ins>{to}</ins>}
      {!isWhole && (isLong(before) || isLong(after)) && (
        <Button kind="plain" isSmall className="show-whole" onClick={() => setWhole(true)}>
          Show all {Math.max(before?.length ?? 0, after?.length ?? 0).toLocaleString('en')} characters
        </Button>
      )}
    </li>
  )
}

const project = getRouteApi('/project/$projectId')

/**
 * The differences of changed fields, with the names of the project's group types, cohorts and flags.
 * @param scope the kind of item. Default: a flag
 */
export function ChangeList({ changes, scope }: { changes: readonly Change[]; scope?: string }) {
  const { projectId } = project.useParams()
  const wording = useWording(projectId, changes.flatMap(setsIn))
  return <DifferenceList differences={changes.flatMap((change) => differencesOf(change, wording, scope))} />
}
