// Components of all pages.
/* @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child, FC } from 'hono/jsx'

const Mark: FC = () => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    aria-hidden="true"
  >
    <path d="M6 21V3" />
    <path
      d="M6 4c4-2 7 2 12 0v9c-5 2-8-2-12 0"
      fill="currentColor"
      fill-opacity=".25"
      stroke-linejoin="round"
    />
  </svg>
)

export const Document: FC<{ title: string; children: Child }> = ({ title, children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title} · Halyard</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/pages.css" />
    </head>
    <body>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {children}
    </body>
  </html>
)

export const Brand: FC = () => (
  <a class="brand" href="/">
    <Mark />
    Halyard
  </a>
)

const Csrf: FC<{ token: string }> = ({ token }) => <input type="hidden" name="csrf" value={token} />

export type Tone = 'good' | 'bad' | 'warn'

/** A notice, which screen readers announce. */
export const Notice: FC<{ tone: Tone; children: Child }> = ({ tone, children }) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)

interface PostProps {
  csrf: string
  /** The path to return to, with the fragment. */
  to: string
  children: Child
}

export const Post: FC<PostProps> = ({ csrf, to, children }) => (
  <form method="post" action={to}>
    <Csrf token={csrf} />
    {children}
  </form>
)

interface FieldProps {
  label: string
  name: string
  type?: 'text' | 'email' | 'password'
  value?: string
  hint?: string
  required?: boolean
  maxlength?: number
  autocomplete: string
  /** Whether the field gets the focus. It has no effect where the address has a fragment, whose section then has the focus. */
  autofocus?: boolean
}

export const Field: FC<FieldProps> = ({
  label,
  name,
  type = 'text',
  value,
  hint,
  required,
  maxlength,
  autocomplete,
  autofocus,
}) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      required={required}
      maxlength={maxlength}
      autocomplete={autocomplete}
      autofocus={autofocus}
      aria-describedby={hint ? `${name}-hint` : undefined}
    />
    {hint ? (
      <span class="small soft" id={`${name}-hint`}>
        {hint}
      </span>
    ) : null}
  </div>
)

interface NarrowPageProps {
  title: string
  /** A sentence below the title. */
  intro?: string
  children: Child
}

/** A page with one card. */
export const NarrowPage: FC<NarrowPageProps> = ({ title, intro, children }) => (
  <Document title={title}>
    <main class="narrow" id="content">
      <Brand />
      <section class="card">
        {intro ? (
          <header>
            <h1>{title}</h1>
            <p class="soft">{intro}</p>
          </header>
        ) : (
          <h1>{title}</h1>
        )}
        {children}
      </section>
    </main>
  </Document>
)

export const ErrorPage: FC<{ title: string; detail: string }> = ({ title, detail }) => (
  <NarrowPage title={title}>
    <Notice tone="bad">{detail}</Notice>
    <p>
      <a href="/">Back to the start</a>
    </p>
  </NarrowPage>
)
