/** Installs what the tests need and a bare machine lacks: the built web app, a browser, the sandbox, pytest, a database's tools. */
import { findOrInstallBrowser } from './browser.ts'
import { installDatabaseTools } from './postgres.ts'
import { installPytest, installSandbox } from './sandbox.ts'
import { buildWebApp } from './web-app.ts'

export async function prepareTests(): Promise<void> {
  if ((await buildWebApp()) !== 0) process.exit(1)
  const browser = findOrInstallBrowser()
  if ('path' in browser) process.env.CONVENE_BROWSER = browser.path
  else process.env.CONVENE_NO_BROWSER = browser.missing
  installSandbox()
  installPytest()
  installDatabaseTools()
}
