// Shows the values of a flag: its kind, its variants with their shares, and payloads.
import { CodeBlock } from '../design/small'
import { percent } from '../grammar/words'
import { type Draft, kindOf, variantsOf } from './draft'
import { HIDDEN_VALUE, ShareBar } from './values'

/** Returns JSON with one member per line, and any other text unchanged. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

export function ValueView({ draft }: { draft: Draft }) {
  const payloads = draft.filters.payloads ?? {}
  const kind = kindOf(draft)
  if (kind === 'variants') {
    const variants = variantsOf(draft.filters)
    return (
      <>
        <ShareBar variants={variants} />
        <ul className="variant-lines">
          {variants.map(({ key, rollout_percentage: share }, index) => (
            <li key={key} className="variant">
              <div className="row spread">
                <span className="row">
                  <span className={`swatch swatch-${index % 6}`} aria-hidden />
                  <span className="mono">{key}</span>
                </span>
                <span className="soft">{percent(share)}</span>
              </div>
              {payloads[key] && <CodeBlock label={`Payload of ${key}`} code={pretty(payloads[key])} />}
            </li>
          ))}
        </ul>
      </>
    )
  }
  const payload = payloads.true
  if (kind === 'config')
    return payload === HIDDEN_VALUE ? (
      <p className="soft">
        The value is encrypted, and not shown here. Programs read it with a personal API key.
      </p>
    ) : (
      <CodeBlock label="Value" code={pretty(payload ?? '')} />
    )
  return (
    <>
      <p>
        Those who get the flag read <code>true</code>, all others <code>false</code>.
      </p>
      {payload && <CodeBlock label="Payload" code={pretty(payload)} />}
    </>
  )
}
