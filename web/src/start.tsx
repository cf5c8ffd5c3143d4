/** Starts the web app on the page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { live } from './data/feed/live.ts'
import { PageError } from './frame/page-error.tsx'
import { followSystemTheme } from './ui/theme.ts'

followSystemTheme()
void live.start()
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <PageError>
      <App />
    </PageError>
  </StrictMode>,
)
