// Shows properties of an event, a person or a group: as a tree, or as JSON.
import { useState } from 'react'
import { Card } from '../design/card'
import { Button } from '../design/button'
import { CodeBlock } from '../design/small'
import './people.css'

type Properties = Readonly<Record<string, unknown>>

/** The most members that a tree shows at once, and the levels that are open. */
const MAX_MEMBERS = 200

export function PropertyList({ label, properties }: { label: string; properties: Properties }) {
  const [isJson, setIsJson] = useState(false)
  const names = Object.keys(properties)
  return (
    <Card
      title={label}
      action={
        names.length > 0 && (
          <Button isSmall aria-pressed={isJson} onClick={() => setIsJson(!isJson)}>
            {isJson ? 'Show as a list' : 'Show as JSON'}
          </Button>
        )
      }
    >
      {names.length === 0 ? (
        <p className="soft">None.</p>
      ) : isJson ? (
        <CodeBlock label={`${label} as JSON`} code={JSON.stringify(properties, null, 2)} />
      ) : (
        <Members entries={sorted(properties)} />
      )}
    </Card>
  )
}

/** Returns the properties of the application before those of libraries. */
const sorted = (properties: Properties): [string, unknown][] =>
  Object.entries(properties).sort(
    ([a], [b]) => Number(a.startsWith('$')) - Number(b.startsWith('$')) || a.localeCompare(b),
  )

function Members({ entries }: { entries: readonly (readonly [string, unknown])[] }) {
  const [shown, setShown] = useState(MAX_MEMBERS)
  return (
    <>
      <dl className="properties">
        {entries.slice(0, shown).map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > shown && (
        <Button isSmall onClick={() => setShown(shown + MAX_MEMBERS)}>
          Show more of {entries.length}
        </Button>
      )}
    </>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return (
      <span className={typeof value === 'string' ? '' : 'mono literal'}>
        {typeof value === 'string' ? value : String(value)}
      </span>
    )
  const entries = Object.entries(value)
  const count = Array.isArray(value)
    ? `${entries.length} ${entries.length === 1 ? 'item' : 'items'}`
    : `${entries.length} ${entries.length === 1 ? 'field' : 'fields'}`
  if (entries.length === 0) return <span className="soft">{count}</span>
  return (
    <details>
      <summary aria-label={`${name}: ${count}`}>{count}</summary>
      <Members entries={entries} />
    </details>
  )
}
