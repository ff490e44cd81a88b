import { type ReactNode, useState } from 'react'
import { CodeBlock } from '../small'

interface CodeSamplesProps {
  samples: readonly { name: string; install?: string | undefined; code: string }[]
  /** The content above the code. */
  notice?: ReactNode
  /** The content below the code. */
  children: ReactNode
}

/** The same code in several languages, of which one is shown. */
export function CodeSamples({ samples, notice, children }: CodeSamplesProps) {
  const [index, setIndex] = useState(0)
  const sample = samples[index] ?? samples[0]!
  return (
    <section className="card" aria-label="Code">
      <header>
        <div className="row wrap" role="group" aria-label="Language">
          {samples.map(({ name }, at) => (
            <button
              key={name}
              type="button"
              className={`button small ${at === index ? 'primary' : ''}`}
              aria-pressed={at === index}
              onClick={() => setIndex(at)}
            >
              {name}
            </button>
          ))}
        </div>
      </header>
      <div className="body stack">
        {notice}
        {sample.install && <CodeBlock label="Installation" code={sample.install} />}
        <CodeBlock label={`Code for ${sample.name}`} code={sample.code} />
        <p className="soft small">{children}</p>
      </div>
    </section>
  )
}
