// The console: starts the app in the document that the Worker serves.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queries'
import './design/design.css'
import { Toasts } from './design/toast'
import { router } from './router'
import { SessionEnded } from './shell/session-ended'
import { applyTheme } from './shell/theme'

applyTheme()
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={350}>
          <RouterProvider router={router} />
          <SessionEnded />
          <Toasts />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
