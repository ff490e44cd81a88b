// Shows the form of a cohort's conditions, which are nested groups.
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../design/button'
import { Select } from '../design/fields/field'
import { removePart } from '../design/part-focus'
import { replaceAt } from '../flag/draft'
import { AddCondition, PropertyRow } from '../flag/property-row'
import './cohorts.css'
import { type Condition, emptyCondition, emptyGroup, type Group, isGroup, placeIn } from './tree'

interface TreeProps {
  projectId: number
  group: Group
  onChange(group: Group): void
  /** Problems by their place. */
  issues: ReadonlyMap<string, string>
  place?: string
  /** The name for screen readers, such as `group 1.2`. */
  name?: string
  onRemove?(): void
}

/** The depth to which the form adds groups. It shows deeper ones. */
const MAX_DEPTH = 4

export function ConditionTree({
  projectId,
  group,
  onChange,
  issues,
  place = 'properties',
  name = 'conditions',
  onRemove,
}: TreeProps) {
  const setValues = (values: Group['values']) => onChange({ ...group, values })
  const depth = place.split('.').length
  const nameOf = (index: number) => (name === 'conditions' ? String(index + 1) : `${name}.${index + 1}`)
  const issue = issues.get(place)
  return (
    <fieldset className="set">
      <legend className="visually-hidden">{onRemove ? `Group ${name}` : 'Conditions'}</legend>
      <div className="row spread">
        <Select
          label={onRemove ? `How group ${name} is joined` : 'How conditions are joined'}
          isSmall
          value={group.type}
          options={[
            ['AND', 'All of these hold'],
            ['OR', 'Any of these holds'],
          ]}
          onChange={(type) => onChange({ ...group, type })}
        />
        {onRemove && (
          <IconButton label={`Remove group ${name}`} isSmall onClick={(event) => removePart(event, onRemove)}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      <ul className="conditions">
        {group.values.map((node, index) => (
          // Nodes have no identity except their place.
          <li key={index}>
            <span className="joint" aria-hidden>
              {index === 0 ? 'if' : group.type === 'AND' ? 'and' : 'or'}
            </span>
            {isGroup(node) ? (
              <ConditionTree
                projectId={projectId}
                group={node}
                issues={issues}
                place={placeIn(place, index)}
                name={nameOf(index)}
                onChange={(next) => setValues(replaceAt(group.values, index, next))}
                onRemove={() => setValues(replaceAt(group.values, index, null))}
              />
            ) : (
              <div className="row negatable">
                <Button
                  isSmall
                  className={node.negation ? 'primary' : ''}
                  aria-pressed={node.negation ?? false}
                  aria-label={`Not: condition ${nameOf(index)}`}
                  onClick={() => setValues(replaceAt(group.values, index, negated(node)))}
                >
                  not
                </Button>
                <PropertyRow
                  projectId={projectId}
                  property={node}
                  groupType={null}
                  kinds={KINDS}
                  label={`condition ${nameOf(index)}`}
                  issue={issues.get(placeIn(place, index))}
                  onChange={(next) => setValues(replaceAt(group.values, index, next as Condition | null))}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {issue && (
        <p className="error-text" role="alert">
          {issue}
        </p>
      )}
      <div className="row wrap">
        <AddCondition onAdd={() => setValues([...group.values, emptyCondition()])} />
        {depth <= MAX_DEPTH && (
          <Button isSmall kind="plain" onClick={() => setValues([...group.values, emptyGroup()])}>
            <Plus size={14} aria-hidden /> Add group
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const KINDS = ['person', 'cohort'] as const

const negated = ({ negation, ...condition }: Condition): Condition =>
  negation ? (condition as Condition) : ({ ...condition, negation: true } as Condition)
