// An editor for JSON, which is loaded when it is first shown.
import { lazy, Suspense } from 'react'
import { TextArea } from './field'

const CodeEditor = lazy(() => import('./code-editor'))

interface JsonEditorProps {
  value: string
  onChange(value: string): void
  /** For screen readers. */
  label: string
  placeholder?: string
  readOnly?: boolean
  isInvalid?: boolean
}

export const JsonEditor = (props: JsonEditorProps) => (
  <Suspense
    fallback={
      <TextArea
        className="code"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        aria-label={props.label}
        readOnly={props.readOnly}
      />
    }
  >
    <CodeEditor {...props} />
  </Suspense>
)
