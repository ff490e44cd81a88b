// Shows fields for the values of a flag: variants with their shares, payloads, the value of a remote configuration.
import { Equal, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { FlagFilters } from '../api/client'
import { Button, IconButton } from '../design/button'
import { SwitchRow } from '../design/fields/field'
import { addPart, removePart } from '../design/part-focus'
import { JsonEditor } from '../design/code/json-editor'
import {
  type Draft,
  equalShares,
  isPercentage,
  type Issues,
  namesOf,
  variantsOf,
  withoutVariant,
  withVariants,
} from './draft'

interface VariantsProps {
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
}

export function Variants({ draft, onChange, issues }: VariantsProps) {
  const variants = variantsOf(draft.filters)
  const payloads = draft.filters.payloads ?? {}
  // The user types a key letter by letter, past the keys of other variants: payloads and overrides keep the name that they had until the key is one.
  const [held, setHeld] = useState<readonly string[] | null>(null)
  const names = namesOf(draft, held)
  const change = (next: typeof variants, nextNames = names) => {
    setHeld(nextNames)
    onChange(withVariants(draft, next, nextNames))
  }
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(variants.flatMap(({ key }, index) => (payloads[key] ? [index] : []))),
  )
  // One that the user opens takes the focus.
  const [opened, setOpened] = useState<number | null>(null)
  const set = (index: number, part: Partial<(typeof variants)[number]>) =>
    change(variants.with(index, { ...variants[index]!, ...part }))
  const issue = issues.get('variants')
  return (
    <div className="stack">
      <ShareBar variants={variants} />
      <ol className="variants">
        {variants.map(({ key, rollout_percentage: share }, index) => (
          // Keys change while the user types, so that they cannot identify a variant.
          <li key={index} className="variant">
            <div className="row wrap">
              <span className={`swatch swatch-${index % 6}`} aria-hidden />
              <input
                className="input mono grow"
                value={key}
                aria-label={`Key of variant ${index + 1}`}
                spellCheck={false}
                onChange={(event) => set(index, { key: event.target.value.replaceAll(' ', '-') })}
              />
              <PercentField
                label={`Share of ${key || `variant ${index + 1}`}`}
                value={share}
                onChange={(value) => set(index, { rollout_percentage: value })}
              />
              <Button
                isSmall
                kind="plain"
                aria-expanded={open.has(index)}
                onClick={() => {
                  const next = new Set(open)
                  if (!next.delete(index)) next.add(index)
                  setOpen(next)
                  setOpened(index)
                }}
              >
                Payload{payloads[names[index]!] ? ' •' : ''}
              </Button>
              <IconButton
                label={`Remove variant ${key}`}
                isSmall
                disabled={variants.length === 1}
                onClick={(event) =>
                  removePart(event, () => {
                    setHeld(names.toSpliced(index, 1))
                    onChange(withoutVariant(draft, index, names))
                  })
                }
              >
                <Trash2 size={15} aria-hidden />
              </IconButton>
            </div>
            {open.has(index) && (
              <PayloadEditor
                label={`Payload of ${key}`}
                autoFocus={opened === index}
                value={payloads[names[index]!] ?? ''}
                issue={issues.get(`payloads.${names[index]}`)}
                onChange={(text) =>
                  onChange({
                    ...draft,
                    filters: { ...draft.filters, payloads: withPayload(payloads, names[index]!, text) },
                  })
                }
              />
            )}
          </li>
        ))}
      </ol>
      {issue && (
        <p className="error-text" role="alert">
          {issue}
        </p>
      )}
      <div className="row wrap">
        <Button
          isSmall
          onClick={() => {
            const key = unusedKey([...names, ...variants.map((each) => each.key)])
            addPart('.variants > li', () =>
              change([...variants, { key, rollout_percentage: 0 }], [...names, key]),
            )
          }}
        >
          <Plus size={14} aria-hidden /> Add variant
        </Button>
        <Button
          isSmall
          onClick={() => {
            const shares = equalShares(variants.length)
            change(variants.map((variant, index) => ({ ...variant, rollout_percentage: shares[index]! })))
          }}
        >
          <Equal size={14} aria-hidden /> Equal shares
        </Button>
      </div>
    </div>
  )
}

function unusedKey(keys: readonly string[]): string {
  let number = new Set(keys).size + 1
  while (keys.includes(`variant-${number}`)) number += 1
  return `variant-${number}`
}

export const ShareBar = ({
  variants,
}: {
  variants: readonly { key: string; rollout_percentage: number }[]
}) => (
  <div className="share-bar" aria-hidden>
    {variants.map(({ rollout_percentage: share }, index) => (
      <span key={index} className={`swatch-${index % 6}`} style={{ flexGrow: share }} />
    ))}
  </div>
)

const withPayload = (payloads: Readonly<Record<string, string>>, key: string, text: string) => {
  const { [key]: _, ...others } = payloads
  return text === '' ? others : { ...others, [key]: text }
}

interface PayloadProps {
  draft: Draft
  onChange(filters: FlagFilters): void
  issue: string | undefined
}

/** The payload of a flag that is on or off. */
export function Payload({ draft, onChange, issue }: PayloadProps) {
  const payload = draft.filters.payloads?.true ?? ''
  const [isGiven] = useState(payload !== '')
  const [isOpened, setIsOpened] = useState(false)
  if (!isGiven && !isOpened)
    return (
      <div>
        <Button isSmall onClick={() => setIsOpened(true)}>
          <Plus size={14} aria-hidden /> Add a payload
        </Button>
      </div>
    )
  return (
    <PayloadEditor
      label="Payload"
      autoFocus={isOpened}
      value={payload}
      issue={issue}
      onChange={(text) =>
        onChange({ ...draft.filters, payloads: withPayload(draft.filters.payloads ?? {}, 'true', text) })
      }
    />
  )
}

interface PayloadEditorProps {
  label: string
  autoFocus?: boolean
  value: string
  issue: string | undefined
  /** What the text is. */
  hint?: string
  onChange(text: string): void
}

const PayloadEditor = ({
  label,
  autoFocus,
  value,
  issue,
  hint = 'Any JSON, which code gets beside the value.',
  onChange,
}: PayloadEditorProps) => (
  <div className="field">
    <span className="label">{label}</span>
    <JsonEditor
      label={label}
      autoFocus={autoFocus}
      value={value}
      onChange={onChange}
      placeholder='{"title": "Hello"}'
      isInvalid={Boolean(issue)}
    />
    {issue ? (
      <p className="error" role="alert">
        {issue}
      </p>
    ) : (
      <p className="hint">{hint} Text needs quotes.</p>
    )}
  </div>
)

interface ConfigProps {
  draft: Draft
  onChange(draft: Draft): void
  issue: string | undefined
}

/** The text that the API shows in place of an encrypted value. If it is sent back, the value is unchanged. */
export const HIDDEN_VALUE = '"********* (encrypted)"'

export function ConfigValue({ draft, onChange, issue }: ConfigProps) {
  const value = draft.filters.payloads?.true ?? ''
  const isHidden = value === HIDDEN_VALUE
  const setValue = (text: string) =>
    onChange({
      ...draft,
      filters: { ...draft.filters, payloads: withPayload(draft.filters.payloads ?? {}, 'true', text) },
    })
  return (
    <div className="stack">
      {isHidden ? (
        <div className="row spread wrap">
          <span className="soft">
            The value is encrypted, and not shown here. Programs read it with a personal API key.
          </span>
          <Button isSmall onClick={() => setValue('')}>
            Replace the value
          </Button>
        </div>
      ) : (
        <PayloadEditor label="Value" hint="Any JSON." value={value} issue={issue} onChange={setValue} />
      )}
      <SwitchRow
        title="Encrypt the value"
        hint={
          isHidden
            ? 'Replace the value to store it without encryption.'
            : 'Stored encrypted. Only programs with a personal API key read it; this page does not show it again.'
        }
        disabled={isHidden}
        isChecked={draft.has_encrypted_payloads ?? false}
        onChange={(isOn) => onChange({ ...draft, has_encrypted_payloads: isOn })}
      />
    </div>
  )
}

interface PercentProps {
  label: string
  value: number
  onChange(value: number): void
}

/** A percentage with up to two decimals. */
export function PercentField({ label, value, onChange }: PercentProps) {
  const [text, setText] = useState(String(value))
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    if (Number(text) !== value) setText(String(value))
  }
  return (
    <span className="percent">
      <input
        className="input"
        inputMode="decimal"
        value={text}
        aria-label={label}
        onChange={(event) => {
          const typed = event.target.value.replace(',', '.')
          if (!isPercentage(typed, text)) return
          setText(typed)
          if (typed !== '' && typed !== '.') onChange(Number(typed))
        }}
        onBlur={() => setText(String(value))}
      />
      <span aria-hidden>%</span>
    </span>
  )
}
