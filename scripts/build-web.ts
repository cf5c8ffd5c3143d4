/** Builds the web app unless it is up to date. */
import { buildWebApp } from './web-app.ts'

process.exitCode = await buildWebApp()
