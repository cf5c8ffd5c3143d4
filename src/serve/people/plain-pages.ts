/** The pages for people without a session: plain HTML, because the app asks the server for everything. */
import { html } from 'hono/html'

/** `problem` says why the last login failed. */
export function loginPage(problem?: string) {
  return page(
    'Log in',
    html`${problem === undefined ? html`<p>Log in with your team's account.</p>` : html`<p role="alert">${problem.charAt(0).toUpperCase()}${problem.slice(1)}</p>`}
      <a href="/auth/login">Log in</a>`,
  )
}

/** `convene serve` keeps its token, but that of a user may have been replaced since the address was saved. */
export function wrongTokenPage() {
  return page(
    'Wrong token',
    html`<p role="alert">The token in this address is wrong.</p>
      <p>Open the address that <code>convene serve</code> prints in its terminal. If you were given a token, ask an owner for a new one.</p>`,
  )
}

function page(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Convene</title>
    <style>
      :root { color-scheme: light dark; --bg: #fbfbfa; --ink: #1c1b19; --ink-2: #5b5953; --accent: #4a4ae0; --on-accent: #fff; --bad: #b92f26 }
      @media (prefers-color-scheme: dark) { :root { --bg: #151513; --ink: #ecebe7; --ink-2: #b3b0a8; --accent: #a5a4ff; --on-accent: #151513; --bad: #ff8a80 } }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--ink); font: 15px/1.5 Inter, system-ui, sans-serif }
      main { max-width: 22rem; padding: 1.5rem }
      h1 { font-size: 1.35rem; margin: 0 0 .5rem }
      p { color: var(--ink-2); margin: 0 0 1.25rem }
      p[role=alert] { color: var(--bad) }
      a { display: inline-block; padding: .45rem .9rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 500 }
      a:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
    </style>
  </head>
  <body>
    <main>
      <h1>Convene</h1>
      ${content}
    </main>
  </body>
</html>`
}
