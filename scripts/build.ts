/** `npm run build`: the JavaScript and the web app that the package ships. */
import { rmSync } from 'node:fs'
import { runTool } from './command.ts'
import { buildWebApp } from './web-app.ts'

rmSync('dist', { recursive: true, force: true })
process.exitCode = (await runTool('tsc', ['-p', 'tsconfig.build.json'])) || (await buildWebApp())
