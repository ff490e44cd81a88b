// Shows the flag's value for a person, and why: every condition with its result.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { UserSearch } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { type Flag, post } from '../api/client'
import { groupsQuery, groupTypesQuery, itemIn, projectQuery } from '../api/queries'
import { Button } from '../design/button'
import { SuggestField } from '../design/fields/combobox'
import { Empty, ProblemNotice } from '../design/feedback'
import { TextField, Form } from '../design/fields/field'
import { groupTypesOf, isOnlyOfGroups } from '../grammar/sets'
import { usePersonSuggestions } from '../people/use-person-suggestions'
import { EvaluationResultCard } from './evaluation-result'
import { localTime, momentOf } from '../schedule/zoned-time'
import { toFlag } from '../shell/pages'

const route = getRouteApi('/project/$projectId/feature_flags/$flagId')

export default function PeopleTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const { person = '', groups: shared = {}, at: sharedAt } = route.useSearch()
  const navigate = useNavigate()
  const [text, setText] = useState(person)
  const [groups, setGroups] = useState<Readonly<Record<string, string>>>(shared)
  const { timezone = 'UTC' } = useQuery(projectQuery(projectId)).data ?? {}
  const [typed, setAt] = useState<string | null>(null)
  const at = typed ?? (sharedAt ? localTime(Date.parse(sharedAt), timezone) : '')
  const instant = momentOf(at, timezone)
  const suggestions = usePersonSuggestions(projectId, useDeferredValue(text))
  const used = groupTypesOf(flag.filters)
  const isOfGroups = used.some((index) => index !== null)
  const needsGroup = isOnlyOfGroups(flag.filters)
  const groupTypes = useQuery({ ...groupTypesQuery(projectId), enabled: isOfGroups })
  const test = useMutation({
    mutationFn: ({ distinctId, chosen }: { distinctId: string; chosen: Readonly<Record<string, string>> }) =>
      post('/api/projects/{project_id}/feature_flags/{id}/test_evaluation/', itemIn(projectId, flag.id), {
        distinct_id: distinctId || NOBODY_KNOWN,
        groups: chosen,
        ...(instant ? { timestamp: instant } : {}),
      }),
  })
  const run = (distinctId: string, chosen = groups) => {
    const given = Object.fromEntries(Object.entries(chosen).filter(([, key]) => key !== ''))
    const hasGroups = Object.keys(given).length > 0
    if (!hasGroups && (needsGroup || !distinctId)) return
    void navigate({
      ...toFlag(projectId, flag.id),
      search: {
        tab: 'people',
        ...(distinctId ? { person: distinctId } : {}),
        ...(hasGroups ? { groups: given } : {}),
        ...(instant ? { at: instant } : {}),
      },
      replace: true,
    })
    test.mutate({ distinctId, chosen: given })
  }
  // A link may name the person.
  useEffect(() => run(person), [flag.version])
  return (
    <div className="stack">
      <section className="card padded">
        <Form className="evaluate" onSubmit={() => run(text)}>
          <SuggestField
            label="Person"
            value={text}
            onChange={setText}
            onChoose={(id) => run(id)}
            placeholder="Distinct id, or search by name or email"
            suggestions={suggestions}
          />
          {(groupTypes.data ?? [])
            .filter(({ group_type_index: index }) => used.includes(index))
            .map(({ group_type: type, group_type_index: index }) => (
              <GroupField
                key={type}
                projectId={projectId}
                type={type}
                index={index}
                value={groups[type] ?? ''}
                onChange={(key) => setGroups({ ...groups, [type]: key })}
                onChoose={(key) => {
                  const chosen = { ...groups, [type]: key }
                  setGroups(chosen)
                  run(text, chosen)
                }}
              />
            ))}
          <TextField
            label="As of"
            hint={`In the time zone of the project, ${timezone}. Empty: now.`}
            type="datetime-local"
            value={at}
            onChange={setAt}
          />
          <div>
            <Button
              type="submit"
              kind="primary"
              isBusy={test.isPending}
              disabled={(needsGroup || text === '') && Object.values(groups).every((key) => key === '')}
            >
              Evaluate
            </Button>
          </div>
        </Form>
      </section>
      {test.isError && <ProblemNotice error={test.error} onRetry={() => run(text)} />}
      {test.data ? (
        <EvaluationResultCard projectId={projectId} result={test.data} />
      ) : (
        !test.isPending &&
        !test.isError && (
          <div className="card">
            <Empty
              icon={<UserSearch size={26} aria-hidden />}
              title={`See what a ${needsGroup ? 'group' : 'person'} gets, and why`}
            >
              Choose {needsGroup ? 'a group' : 'a person'}
              {isOfGroups && !needsGroup && ' and their groups'}. Every condition is shown with the value that
              it was compared with.
            </Empty>
          </div>
        )
      )}
    </div>
  )
}

/** Stands for anybody: a distinct id without a person. */
const NOBODY_KNOWN = 'unknown'

interface GroupFieldProps {
  projectId: number
  type: string
  index: number
  value: string
  onChange(key: string): void
  onChoose(key: string): void
}

function GroupField({ projectId, type, index, value, onChange, onChoose }: GroupFieldProps) {
  const groups = useQuery(groupsQuery(projectId, index, useDeferredValue(value)))
  return (
    <SuggestField
      label={`Group: ${type}`}
      value={value}
      onChange={onChange}
      onChoose={onChoose}
      placeholder={`Key of the ${type}`}
      suggestions={(groups.data ?? []).map(({ group_key: key }) => ({ value: key }))}
    />
  )
}
