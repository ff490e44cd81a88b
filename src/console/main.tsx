// Starts the app in the document that the Worker serves.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { markDrawn } from './api/client'
import { queryClient } from './api/queries'
import './design/design.css'
import { Toasts } from './design/popups/toast'
import { router } from './router'
import { Interrupted } from './shell/interrupted'
import { applyTheme, storedTheme } from './shell/theme'

// This renews the cookie. The server has put the theme into the document, but the development server has not.
applyTheme(storedTheme())

// The document has a frame, which stays until there is a page to put in its place. An await would be in the way of the page's code, which imports
// this module.
void router.load().then(() => {
  markDrawn()
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Interrupted />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  )
})
