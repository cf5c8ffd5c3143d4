/** Builds the web app unless the one that is there is up to date. */
import { buildWebApp } from './web-app.ts'

process.exitCode = await buildWebApp()
