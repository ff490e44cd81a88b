import { csrfToken } from '../api/client'
import { removeDrafts } from '../edit/stored-draft'

/** Ends the session by the form of the pages without scripts. */
export function signOut(): void {
  removeDrafts()
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
