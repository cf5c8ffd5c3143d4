/** Shown when the server requires a token that this browser does not have. */
import { useEffect } from 'react'
import { call } from '../data/request.ts'
import { Logo } from '../ui/icons.tsx'

export function Unauthorized() {
  useEffect(() => {
    // Without an answer the page stays: it says what to do.
    call('GET /api/health').then(
      ({ login }) => login && location.assign('/login'),
      () => {},
    )
  }, [])
  return (
    <main className="grid h-full place-items-center p-6">
      <div className="max-w-md">
        <Logo size={36} />
        <h1 className="mt-3 text-large font-semibold">This page needs its access token</h1>
        <p className="mt-2 text-ink-2">
          Open the address that <code className="numbers">convene serve</code> printed in its terminal. It carries the
          token; this browser remembers it from then on.
        </p>
      </div>
    </main>
  )
}
