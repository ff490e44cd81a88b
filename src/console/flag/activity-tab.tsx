// The history of a flag, with versions that can be restored, and the flags that depend on it.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { ActivityEntry, Flag } from '../api/client'
import { client, dataOf } from '../api/client'
import { dependentsQuery, flagActivityQuery } from '../api/queries'
import { Button } from '../design/button'
import { Confirm } from '../design/dialog'
import { Loading, ProblemNotice } from '../design/feedback'
import { Badge } from '../design/small'
import { say } from '../design/toast'
import { EntryList, versionOf } from '../activity/entry-list'
import { refreshFlags, sayHeld, updateFlag } from '../flags/change-flags'
import { DifferenceList } from './difference-list'
import { differencesOf } from './differences'

const RESTORED = [
  'name',
  'filters',
  'active',
  'ensure_experience_continuity',
  'evaluation_runtime',
  'bucketing_identifier',
] as const

export default function ActivityTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const activity = useInfiniteQuery(flagActivityQuery(projectId, flag.id))
  const dependents = useQuery(dependentsQuery(projectId, flag.id))
  const [version, setVersion] = useState<number | null>(null)
  if (activity.isPending) return <Loading label="Loading the history" />
  if (activity.isError)
    return <ProblemNotice error={activity.error} onRetry={() => void activity.refetch()} />
  const entries = activity.data.pages.flatMap(({ results }) => results)
  return (
    <div className="stack">
      {dependents.data && dependents.data.length > 0 && (
        <section className="card padded stack" aria-labelledby="dependents">
          <h2 id="dependents">Flags that depend on this one</h2>
          <ul className="row wrap">
            {dependents.data.map(({ id, key }) => (
              <li key={id}>
                <Link
                  className="badge accent mono"
                  to="/project/$projectId/feature_flags/$flagId"
                  params={{ projectId, flagId: id }}
                  search={{}}
                >
                  {key}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="card padded" aria-label="History">
        <EntryList
          entries={entries}
          action={(entry: ActivityEntry) => {
            const at = versionOf(entry)
            return at === null ? null : at === flag.version ? (
              <Badge>Version {at}, current</Badge>
            ) : (
              <Button isSmall onClick={() => setVersion(at)}>
                <RotateCcw size={13} aria-hidden /> Restore version {at}
              </Button>
            )
          }}
        />
        {activity.hasNextPage && (
          <Button isBusy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            Show older
          </Button>
        )}
      </section>
      {version !== null && (
        <Restore projectId={projectId} flag={flag} version={version} onClose={() => setVersion(null)} />
      )}
    </div>
  )
}

interface RestoreProps {
  projectId: number
  flag: Flag
  version: number
  onClose(): void
}

/** Asks before a version becomes the current one again, as a new version. */
function Restore({ projectId, flag, version, onClose }: RestoreProps) {
  const past = useQuery({
    queryKey: ['project', projectId, 'version', flag.id, version],
    queryFn: () =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/{id}/versions/{version_number}/', {
          params: { path: { project_id: String(projectId), id: flag.id, version_number: version } },
        }),
      ),
  })
  const restore = useMutation({
    mutationFn: () =>
      updateFlag(projectId, flag.id, Object.fromEntries(RESTORED.map((field) => [field, past.data![field]]))),
    async onSuccess() {
      await refreshFlags(projectId)
      say(`Version ${version} is restored.`)
      onClose()
    },
    onError: (error) => sayHeld(projectId, error) && onClose(),
  })
  const differences = past.data
    ? RESTORED.flatMap((field) => differencesOf(field, flag[field], past.data[field]))
    : []
  return (
    <Confirm
      title={`Restore version ${version}?`}
      action="Restore"
      isDanger={false}
      isBusy={restore.isPending || past.isPending}
      error={restore.error ?? past.error}
      onClose={onClose}
      onConfirm={() => restore.mutate()}
    >
      {past.data && differences.length === 0 && <p>The flag is already as it was then.</p>}
      <DifferenceList differences={differences} />
    </Confirm>
  )
}
