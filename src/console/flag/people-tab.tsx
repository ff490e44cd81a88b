// What a person gets, and why: every condition with its result.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleX, UserSearch } from 'lucide-react'
import { type FormEvent, useDeferredValue, useEffect, useState } from 'react'
import { client, dataOf, type EvaluationResult, type Flag } from '../api/client'
import { personsQuery } from '../api/queries'
import { Button } from '../design/button'
import { Suggest } from '../design/combobox'
import { Empty, ProblemNotice } from '../design/feedback'
import { Field, Input } from '../design/field'
import { Badge, CodeBlock } from '../design/small'
import { operatorWords, percent } from '../flags/release-summary'

const route = getRouteApi('/project/$projectId/feature_flags/$flagId')

export default function PeopleTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const { person = '' } = route.useSearch()
  const navigate = useNavigate()
  const [text, setText] = useState(person)
  const [at, setAt] = useState('')
  const search = useDeferredValue(text)
  const persons = useQuery(personsQuery(projectId, search))
  const test = useMutation({
    mutationFn: (distinctId: string) =>
      dataOf(
        client.POST('/api/projects/{project_id}/feature_flags/{id}/test_evaluation/', {
          params: { path: { project_id: String(projectId), id: flag.id } },
          body: { distinct_id: distinctId, ...(at ? { timestamp: new Date(at).toISOString() } : {}) },
        }),
      ),
  })
  const run = (distinctId: string) => {
    if (!distinctId) return
    void navigate({
      to: '/project/$projectId/feature_flags/$flagId',
      params: { projectId, flagId: flag.id },
      search: { tab: 'people', person: distinctId },
      replace: true,
    })
    test.mutate(distinctId)
  }
  // A link may name the person.
  useEffect(() => {
    if (person) test.mutate(person)
  }, [flag.version])
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
              onChoose={run}
              placeholder="Distinct id, or search by name or email"
              suggestions={(persons.data?.results ?? []).flatMap(({ distinct_ids: ids, name }) =>
                ids[0] === undefined ? [] : [{ value: ids[0], ...(name === ids[0] ? {} : { detail: name }) }],
              )}
            />
          </div>
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
            <Button type="submit" kind="primary" isBusy={test.isPending} disabled={text === ''}>
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
              Choose a person. Every condition is shown with the value that the person has.
            </Empty>
          </div>
        )
      )}
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
    properties.length === 0 ? 'Everyone matches' : hold ? 'All conditions hold' : 'A condition does not hold'
  if (!hold) return `${who}.`
  if (share === 100) return `${who}.`
  return matched
    ? `${who}, and the person is among the ${percent(share)}.`
    : `${who}, but the person is not among the ${percent(share)}.`
}

type Condition = EvaluationResult['conditions'][number]

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
                      <code>{property.key}</code> {operatorWords(property.operator)}{' '}
                      <code>{JSON.stringify(property.value)}</code>
                      <div className="soft small">
                        {property.explanation} The person has{' '}
                        <code>{JSON.stringify(property.actual_value ?? null)}</code>.
                      </div>
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
