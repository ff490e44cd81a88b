// Shows the value of every flag for a person, and why.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Flag as FlagIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { flagValuesQuery } from '../api/people'
import { type Flag, post } from '../api/client'
import { Problem } from '../api/problem'
import { eachFlag, inProject } from '../api/queries'
import { Button } from '../design/button'
import { type Column, DataTable } from '../design/data-table'
import { Dialog } from '../design/popups/dialog'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { Badge } from '../design/small'
import '../flag/flag.css'
import { EvaluationResultCard } from '../flag/evaluation-result'
import { toFlag } from '../shell/pages'
import './people.css'

interface FlagValue {
  /** Its key. */
  id: string
  /** Null where it depends on more than is known. */
  value: boolean | string | null
  reason: string
}

interface FlagValuesProps {
  projectId: number
  distinctId: string
  /** Keys by group type. */
  groups: Readonly<Record<string, string>>
  /** Only these flags, by key, and whether what they answer depends on more than the groups. */
  keys?: ReadonlyMap<string, boolean>
}

const WORDS: Readonly<Record<string, string>> = { disabled: 'The flag is disabled' }

export function FlagValues({ projectId, distinctId, groups, keys }: FlagValuesProps) {
  const values = useQuery(flagValuesQuery(projectId, distinctId, groups))
  const [asked, setAsked] = useState<string | null>(null)
  const rows = useMemo(
    () =>
      Object.entries(values.data ?? {})
        .filter(([key]) => keys === undefined || keys.has(key))
        .map(([id, { value, evaluation }]): FlagValue =>
          keys?.get(id)
            ? { id, value: null, reason: 'Other condition sets are about people or other groups' }
            : {
                id,
                value,
                reason: evaluation.description ?? WORDS[evaluation.reason] ?? evaluation.reason,
              },
        )
        .sort((a, b) => Number(a.value === false) - Number(b.value === false) || a.id.localeCompare(b.id)),
    [values.data, keys],
  )
  const columns = useMemo(() => flagColumns(setAsked), [])
  return (
    <>
      <DataTable
        query={{
          ...values,
          isFetchNextPageError: false,
          hasNextPage: false,
          isFetchingNextPage: false,
          fetchNextPage: () => undefined,
        }}
        rows={rows}
        columns={columns}
        nameOf={keyOf}
        empty={
          <Empty icon={<FlagIcon size={26} aria-hidden />} title="No flag to evaluate">
            {keys === undefined
              ? 'The project has no flag yet.'
              : 'No flag has conditions on groups of this type.'}
          </Empty>
        }
      />
      {asked !== null && (
        <Why
          projectId={projectId}
          flagKey={asked}
          distinctId={distinctId}
          groups={groups}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const keyOf = ({ id }: FlagValue): string => id

const flagColumns = (onWhy: (key: string) => void): readonly Column<FlagValue>[] => [
  {
    heading: 'Flag',
    place: 'main',
    cell: ({ id }) => <span className="mono truncate">{id}</span>,
  },
  {
    heading: 'Gets',
    place: 'side',
    width: '9rem',
    cell: ({ value }) => (
      <Badge tone={value ? 'good' : ''}>
        {value === true ? 'On' : value === false ? 'Off' : (value ?? 'Depends')}
      </Badge>
    ),
  },
  {
    heading: 'Reason',
    place: 'full',
    cell: ({ reason }) => <span className="soft small">{reason}</span>,
  },
  {
    heading: 'Details',
    place: 'full',
    width: '6rem',
    cell: ({ id, value }) =>
      value !== null && (
        <Button isSmall onClick={() => onWhy(id)} aria-label={`Why ${id}`}>
          Why?
        </Button>
      ),
  },
]

interface WhyProps {
  projectId: number
  flagKey: string
  distinctId: string
  groups: Readonly<Record<string, string>>
  onClose(): void
}

/** Finds a flag among those whose keys contain its own. */
async function flagByKey(projectId: number, flagKey: string, signal: AbortSignal): Promise<Flag | undefined> {
  for await (const flag of eachFlag(projectId, { search: flagKey }, signal))
    if (flag.key === flagKey) return flag
  return undefined
}

/** Every condition of a flag with its result. */
function Why({ projectId, flagKey, distinctId, groups, onClose }: WhyProps) {
  const result = useQuery({
    queryKey: ['project', projectId, 'why', flagKey, distinctId, groups],
    queryFn: async ({ signal }) => {
      const path = inProject(projectId)
      const flag = await flagByKey(projectId, flagKey, signal)
      if (!flag) throw new Problem('This flag does not exist any more.', 404)
      const evaluation = await post(
        '/api/projects/{project_id}/feature_flags/{id}/test_evaluation/',
        { path: { ...path, id: flag.id } },
        { distinct_id: distinctId, groups: { ...groups } },
        signal,
      )
      return { flagId: flag.id, evaluation }
    },
    gcTime: 0,
  })
  return (
    <Dialog isWide title={flagKey} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {result.isPending ? (
        <Loading label="Evaluating the flag" />
      ) : result.isError ? (
        <ProblemNotice error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <div className="stack">
          <EvaluationResultCard projectId={projectId} result={result.data.evaluation} />
          <Link
            {...toFlag(projectId, result.data.flagId)}
            search={{
              tab: 'people',
              person: distinctId,
              ...(Object.keys(groups).length > 0 ? { groups: { ...groups } } : {}),
            }}
          >
            Open the flag
          </Link>
        </div>
      )}
    </Dialog>
  )
}
