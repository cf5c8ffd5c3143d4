/** `npm run build`: builds the JavaScript and the web app that the package ships. */
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { buildWebApp } from './web-app.ts'

rmSync('dist', { recursive: true, force: true })
await bundle('dist')
process.exitCode = await buildWebApp()
