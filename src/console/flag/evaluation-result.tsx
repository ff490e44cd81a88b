// Shows the result of an evaluation: every condition with its reason.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import type { EvaluationResult } from '../api/client'
import { cohortQuery } from '../api/cohorts'
import { flagQuery } from '../api/queries'
import { Badge, CodeBlock } from '../design/small'
import { conditionWords } from '../grammar/conditions'
import { percent } from '../grammar/words'
import { toFlag } from '../shell/pages'
import { toCohort } from '../shell/item-pages'

/** Says why a condition set matches or not: the API counts sets from 0, people from 1. */
function reasonWords({
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

type Property = Condition['properties'][number]

/** Shows the value that a condition on a property was compared with. */
function actualWords({ type, actual_value: actual }: Property): string {
  const isOfGroup = type === 'group'
  if (actual === null || actual === undefined)
    return isOfGroup ? 'No group is given, or it does not have it.' : 'The person does not have it.'
  return `${isOfGroup ? 'The group' : 'The person'} has ${typeof actual === 'string' ? `“${actual}”` : JSON.stringify(actual)}.`
}

interface PropertyProps {
  projectId: number
  property: Property
}

/** A condition, and what it was compared with. */
function PropertyReason(props: PropertyProps) {
  const { property } = props
  return (
    <div className={`reason ${property.matched ? 'yes' : 'no'}`}>
      {property.matched ? (
        <CircleCheck size={15} aria-label="holds" />
      ) : (
        <CircleX size={15} aria-label="does not hold" />
      )}
      {property.type === 'flag' ? (
        <FlagReason {...props} />
      ) : property.type === 'cohort' ? (
        <CohortReason {...props} />
      ) : (
        <div>
          {conditionWords(property)}
          <div className="soft small">{actualWords(property)}</div>
        </div>
      )}
    </div>
  )
}

/** The API's explanation with names in place of ids. */
const explanationWords = ({ key, value, explanation }: Property, subject: string, object = String(value)) =>
  `${explanation.replace(`Property '${key}'`, () => subject).replace(` ${String(value)}`, () => ` ${object}`)}.`

function FlagReason({ projectId, property }: PropertyProps) {
  const flagId = Number(property.key)
  const flag = useQuery(flagQuery(projectId, flagId))
  const name = flag.data?.key ?? property.key
  return (
    <div>
      the flag{' '}
      {flag.data ? (
        <Link className="mono" {...toFlag(projectId, flagId)}>
          {name}
        </Link>
      ) : (
        name
      )}{' '}
      is {property.value === true ? 'on' : property.value === false ? 'off' : String(property.value)}
      <div className="soft small">{explanationWords(property, `Flag ${name}`)}</div>
    </div>
  )
}

function CohortReason({ projectId, property }: PropertyProps) {
  const cohortId = Number(property.value)
  const cohort = useQuery(cohortQuery(projectId, cohortId))
  return (
    <div>
      {property.operator === 'not_in' ? 'not in the cohort' : 'in the cohort'}{' '}
      {cohort.data ? <Link {...toCohort(projectId, cohortId)}>{cohort.data.name}</Link> : cohortId}
      <div className="soft small">{explanationWords(property, 'The person', cohort.data?.name)}</div>
    </div>
  )
}

interface ResultProps {
  projectId: number
  result: EvaluationResult
}

export function EvaluationResultCard({ projectId, result }: ResultProps) {
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
                <div className="soft">{reasonWords(condition)}</div>
                {condition.properties.map((property, index) => (
                  <PropertyReason key={index} projectId={projectId} property={property} />
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
