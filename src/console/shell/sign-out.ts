/** Ends the session by the form that the pages without scripts use. */
export function signOut(): void {
  const token = document.cookie.match(/(?:^|; )posthog_csrftoken=([^;]*)/)?.[1] ?? ''
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/logout'
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'csrf'
  field.value = token
  form.append(field)
  document.body.append(form)
  form.submit()
}
