import { expect, it } from 'vitest'
import type { AgentSource, AgentWorkspace } from '../../kernel/agent.ts'
import { sourceTools, workspaceTools } from './toolboxes.ts'

const source = { reader: {}, maxSteps: 4 } as AgentSource
const workspace = {} as AgentWorkspace

it.each([
  ['the last commit', sourceTools(source)],
  ['a workspace', workspaceTools(workspace, 4)],
])('[AS1] an agent with tools for %s is asked for its reply in one form', (_, toolbox) => {
  expect(toolbox.instructions('finish')).toContain('the tool finish')
  expect(toolbox.instructions('finish')).not.toContain('JSON')
  expect(toolbox.instructions('object')).toContain('as one JSON object')
  expect(toolbox.instructions('object')).not.toContain('finish')
  expect(toolbox.instructions('words')).not.toMatch(/JSON|finish/)
})
