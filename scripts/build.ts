/** `npm run build`: the JavaScript that the package ships. */
import { rmSync } from 'node:fs'
import { runTool } from './command.ts'

rmSync('dist', { recursive: true, force: true })
process.exitCode = await runTool('tsc', ['-p', 'tsconfig.build.json'])
