// An editor for JSON, which is loaded when it is first shown.
import { lazy, Suspense } from 'react'
import type { Diagnostic, EditorProps } from './code-editor'
import { TextArea } from '../fields/field'

const CodeEditor = lazy(() => import('./json-code-editor'))

export const JsonEditor = (props: EditorProps & { problems?: readonly Diagnostic[] | undefined }) => (
  <Suspense
    fallback={
      <TextArea
        className="code"
        value={props.value}
        aria-label={props.label}
        // Typing here would lose the focus.
        readOnly
        aria-busy
      />
    }
  >
    <CodeEditor {...props} />
  </Suspense>
)
