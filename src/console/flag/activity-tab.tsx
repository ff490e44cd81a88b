// Shows the history of a flag, with versions that can be restored.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { fieldsWith, type FieldWith } from '../../flag-fields'
import { versionOf } from '../activity/entry-list'
import { History } from '../activity/history'
import { type Flag, read } from '../api/client'
import { flagActivityQuery, inProject } from '../api/queries'
import { Button } from '../design/button'
import { say, sayProblem } from '../design/popups/toast'
import { Badge } from '../design/small'
import { changesBetween } from '../grammar/differences'

const RESTORED = fieldsWith('restore')

type Restored = Pick<Flag, FieldWith<'restore'>>

interface ActivityTabProps {
  projectId: number
  flag: Flag
  /** Called with what differs in a version that somebody wants back. */
  onRestore(fields: Partial<Restored>, version: number): void
}

export default function ActivityTab({ projectId, flag, onRestore }: ActivityTabProps) {
  const activity = useInfiniteQuery(flagActivityQuery(projectId, flag.id))
  const past = useMutation({
    mutationFn: (version: number) =>
      read('/api/projects/{project_id}/feature_flags/{id}/versions/{version_number}/', {
        path: { ...inProject(projectId), id: flag.id, version_number: version },
      }),
    onError: (error, version) => sayProblem(error, () => restore(version)),
  })
  // Whoever leaves the tab before the version is read does not want it any more.
  const restore = (version: number) =>
    past.mutate(version, {
      onSuccess(then) {
        const changes = changesBetween<Restored>(RESTORED, flag, then)
        if (changes.length === 0) say(`${flag.key} is already as it was in version ${version}.`)
        else onRestore(Object.fromEntries(changes.map(({ field, after }) => [field, after])), version)
      },
    })
  return (
    <div className="stack">
      <History
        activity={activity}
        action={(entry) => {
          const at = versionOf(entry)
          return at === null ? null : at === flag.version ? (
            <Badge>Version {at}, current</Badge>
          ) : (
            flag.can_edit && (
              <Button isSmall isBusy={past.isPending && past.variables === at} onClick={() => restore(at)}>
                <RotateCcw size={13} aria-hidden /> Restore version {at}
              </Button>
            )
          )
        }}
      />
      {flag.can_edit && (
        <p className="soft small">
          A restored version leaves the key, tags, evaluation contexts, archiving and an encrypted value as
          they are now.
        </p>
      )}
    </div>
  )
}
