// The result of an evaluation: every condition with its reason.
import { CircleCheck, CircleX } from 'lucide-react'
import type { EvaluationResult } from '../api/client'
import { Badge, CodeBlock } from '../design/small'
import { percent, propertyWords } from '../flags/release-summary'

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

export function EvaluationResultCard({ result }: { result: EvaluationResult }) {
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
