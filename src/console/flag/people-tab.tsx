// What a person gets, and why: every condition with its result.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleX, UserSearch } from 'lucide-react'
import { type FormEvent, useDeferredValue, useEffect, useState } from 'react'
import { client, dataOf, type EvaluationResult, type Flag } from '../api/client'
import { groupsQuery, groupTypesQuery, personsQuery } from '../api/queries'
import { Button } from '../design/button'
import { Suggest } from '../design/combobox'
import { Empty, ProblemNotice } from '../design/feedback'
import { Field, Input } from '../design/field'
import { Badge, CodeBlock } from '../design/small'
import { percent, propertyWords } from '../flags/release-summary'

const route = getRouteApi('/project/$projectId/feature_flags/$flagId')

export default function PeopleTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const { person = '', groups: shared = {} } = route.useSearch()
  const navigate = useNavigate()
  const [text, setText] = useState(person)
  const [groups, setGroups] = useState<Readonly<Record<string, string>>>(shared)
  const [at, setAt] = useState('')
  const search = useDeferredValue(text)
  const persons = useQuery(personsQuery(projectId, search))
  const used = new Set(
    flag.filters.groups.map(
      (set) => set.aggregation_group_type_index ?? flag.filters.aggregation_group_type_index ?? null,
    ),
  )
  const isOfGroups = [...used].some((index) => index !== null)
  const groupTypes = useQuery({ ...groupTypesQuery(projectId), enabled: isOfGroups })
  const test = useMutation({
    mutationFn: ({ distinctId, chosen }: { distinctId: string; chosen: Readonly<Record<string, string>> }) =>
      dataOf(
        client.POST('/api/projects/{project_id}/feature_flags/{id}/test_evaluation/', {
          params: { path: { project_id: String(projectId), id: flag.id } },
          body: {
            distinct_id: distinctId || NOBODY_KNOWN,
            groups: chosen,
            ...(at ? { timestamp: new Date(at).toISOString() } : {}),
          },
        }),
      ),
  })
  const run = (distinctId: string, chosen = groups) => {
    const given = Object.fromEntries(Object.entries(chosen).filter(([, key]) => key !== ''))
    const hasGroups = Object.keys(given).length > 0
    if (!distinctId && !hasGroups) return
    void navigate({
      to: '/project/$projectId/feature_flags/$flagId',
      params: { projectId, flagId: flag.id },
      search: {
        tab: 'people',
        ...(distinctId ? { person: distinctId } : {}),
        ...(hasGroups ? { groups: given } : {}),
      },
      replace: true,
    })
    test.mutate({ distinctId, chosen: given })
  }
  // A link may name the person.
  useEffect(() => run(person), [flag.version])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(text)
  }
  return (
    <div className="stack">
      <section className="card padded">
        <form noValidate className="evaluate" onSubmit={submit}>
          <div className="field">
            <span className="label">Person</span>
            <Suggest
              label="Person"
              value={text}
              onChange={setText}
              onChoose={(id) => run(id)}
              placeholder="Distinct id, or search by name or email"
              suggestions={(persons.data?.results ?? []).flatMap(({ distinct_ids: ids, name }) =>
                ids[0] === undefined ? [] : [{ value: ids[0], ...(name === ids[0] ? {} : { detail: name }) }],
              )}
            />
          </div>
          {(groupTypes.data ?? [])
            .filter(({ group_type_index: index }) => used.has(index))
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
          <Field label="As of" hint="Empty: now.">
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={at}
                onChange={(event) => setAt(event.target.value)}
              />
            )}
          </Field>
          <div>
            <Button
              type="submit"
              kind="primary"
              isBusy={test.isPending}
              disabled={text === '' && Object.values(groups).every((key) => key === '')}
            >
              Evaluate
            </Button>
          </div>
        </form>
      </section>
      {test.isError && <ProblemNotice error={test.error} onRetry={() => run(text)} />}
      {test.data ? (
        <Result result={test.data} />
      ) : (
        !test.isPending &&
        !test.isError && (
          <div className="card">
            <Empty icon={<UserSearch size={26} aria-hidden />} title="See what somebody gets, and why">
              Choose a person{isOfGroups && ' and their groups'}. Every condition is shown with the value that
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
    <div className="field">
      <span className="label">Group: {type}</span>
      <Suggest
        label={`Group: ${type}`}
        value={value}
        onChange={onChange}
        onChoose={onChoose}
        placeholder={`Key of the ${type}`}
        suggestions={(groups.data?.results ?? []).map(({ group_key: key }) => ({ value: key }))}
      />
    </div>
  )
}

/** Why a condition set matches or not: the API counts sets from 0, people from 1. */
function conditionWords({
  matched,
  properties_matched: hold,
  rollout_percentage: share,
  properties,
}: Condition): string {
  const who =
    properties.length === 0
      ? 'There is no condition'
      : hold
        ? 'All conditions hold'
        : 'A condition does not hold'
  if (!hold || share === 100) return `${who}.`
  return matched
    ? `${who}, and the ${percent(share)} include this one.`
    : `${who}, but the ${percent(share)} do not include this one.`
}

type Condition = EvaluationResult['conditions'][number]

/** What a condition was compared with. */
function actualWords({ type, actual_value: actual, explanation }: Condition['properties'][number]): string {
  if (type === 'cohort' || type === 'flag') return `${explanation}.`
  const whose = type === 'group' ? 'The group' : 'The person'
  return actual === null || actual === undefined
    ? `${whose} does not have it.`
    : `${whose} has ${typeof actual === 'string' ? `“${actual}”` : JSON.stringify(actual)}.`
}

function Result({ result }: { result: EvaluationResult }) {
  const isOn = result.result !== false
  return (
    <section className="card" aria-label="Result" aria-live="polite">
      <header>
        <div className="verdict">
          <Badge tone={isOn ? 'good' : 'bad'}>{String(result.result)}</Badge>
          <span>{result.reason_description ?? result.reason}</span>
        </div>
      </header>
      <div className="body stack">
        {result.conditions.map((condition) => (
          <div key={condition.index}>
            <div className={`reason ${condition.matched ? 'yes' : 'no'}`}>
              {condition.matched ? (
                <CircleCheck size={18} aria-label="matches" />
              ) : (
                <CircleX size={18} aria-label="does not match" />
              )}
              <div>
                <strong>Set {condition.index + 1}</strong>
                <div className="soft">{conditionWords(condition)}</div>
                {condition.properties.map((property, index) => (
                  <div key={index} className={`reason ${property.matched ? 'yes' : 'no'}`}>
                    {property.matched ? (
                      <CircleCheck size={15} aria-label="holds" />
                    ) : (
                      <CircleX size={15} aria-label="does not hold" />
                    )}
                    <div>
                      {propertyWords(property)}
                      <div className="soft small">{actualWords(property)}</div>
                    </div>
                  </div>
                ))}
              </div>
            </div>
          </div>
        ))}
        {result.payload !== null && result.payload !== undefined && (
          <div className="field">
            <span className="label">Payload</span>
            <CodeBlock
              label="Payload"
              code={
                typeof result.payload === 'string' ? result.payload : JSON.stringify(result.payload, null, 2)
              }
            />
          </div>
        )}
        <details>
          <summary>Properties of the person</summary>
          <CodeBlock
            label="Properties of the person"
            code={JSON.stringify(result.person_properties, null, 2)}
          />
        </details>
      </div>
    </section>
  )
}
