// Wraps CodeMirror for any language.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder as placeholderText } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import './code-editor.css'

export interface EditorProps {
  value: string
  onChange(value: string): void
  /** The label for screen readers. */
  label: string
  placeholder?: string
  isInvalid?: boolean
  /** Whether it takes the focus when it is first shown. */
  autoFocus?: boolean
  /** Called on Command or Control and Enter. */
  onSubmit?(): void
  /** The id of the text that describes the problem. */
  describedBy?: string
}

export type { Diagnostic }

interface CodeEditorProps extends EditorProps {
  /** The extensions, such as the language. They must be the same array at each render. */
  extensions: readonly Extension[]
  /** The problems to underline. Without them, the extensions decide. */
  problems?: readonly Diagnostic[]
}

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.keyword, tags.operatorKeyword], color: 'var(--accent)' },
    { tag: tags.string, color: 'var(--good)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
    { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
    { tag: tags.standard(tags.name), color: 'var(--text)', fontWeight: '600' },
  ]),
)

/** Text typed over a selection. The browser would write the look of the old text into a style attribute, which the policy of the page refuses. */
const TYPE_OVER = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view
    if (inputType !== 'insertText' || isComposing || data === null || state.selection.main.empty) return false
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** A code editor. Tab leaves it, as it leaves every field. */
export function CodeEditor({
  value,
  onChange,
  label,
  placeholder = '',
  isInvalid = false,
  autoFocus = false,
  onSubmit,
  describedBy,
  extensions,
  problems,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ onChange, onSubmit })
  useEffect(() => {
    latest.current = { onChange, onSubmit }
  })
  useEffect(() => {
    const submit = () => {
      latest.current.onSubmit?.()
      return Boolean(latest.current.onSubmit)
    }
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          history(),
          drawSelection(),
          bracketMatching(),
          ...extensions,
          COLOURS,
          TYPE_OVER,
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: submit }])),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          placeholderText(placeholder),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': label,
            // The element has a tab index, because it scrolls by keys, which not every tool knows of an editable element.
            tabindex: '0',
            ...(describedBy ? { 'aria-describedby': describedBy } : {}),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, extensions])
  useEffect(() => {
    if (autoFocus) view.current?.focus()
  }, [])
  // The value changed from outside, such as by a restore or a discarded change.
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (!editor || !problems) return
    const { length } = editor.state.doc
    const within = problems.filter(({ from }) => from <= length)
    editor.dispatch(
      setDiagnostics(
        editor.state,
        within.map((each) => ({ ...each, to: Math.min(each.to, length) })),
      ),
    )
  }, [problems])
  return <div ref={host} className="code-editor" data-invalid={isInvalid || undefined} />
}
