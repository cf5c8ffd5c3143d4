/** Starts the web app on the page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { live } from './api/live.ts'
import { App } from './app.tsx'
import { PageError } from './frame/page-error.tsx'
import { followSystemTheme } from './look/theme.ts'

followSystemTheme()
void live.start()
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <PageError>
      <App />
    </PageError>
  </StrictMode>,
)
