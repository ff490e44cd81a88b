import { csrfToken } from '../api/client'

/** Ends the session by the form that the pages without scripts use. */
export function signOut(): void {
  // Edits in it are of this user.
  sessionStorage.clear()
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/logout'
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'csrf'
  field.value = csrfToken() ?? ''
  form.append(field)
  document.body.append(form)
  form.submit()
}
