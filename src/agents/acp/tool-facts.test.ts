import type { ToolCallUpdate } from '@agentclientprotocol/sdk/unstable'
import { describe, expect, it } from 'vitest'
import { exitToolOf } from './tool-facts.ts'

const isExit = (call: Partial<ToolCallUpdate>) => exitToolOf({ toolCallId: 't1', ...call })

describe('the exit tool', () => {
  it.each<Partial<ToolCallUpdate>>([
    { title: 'mcp__convene__emit_exit', kind: 'other', rawInput: { Done: {} } },
    { title: 'emit_exit (convene MCP Server)', kind: 'other' },
    { title: 'mcp.convene.emit_exit', kind: 'execute', rawInput: { server: 'convene', tool: 'emit_exit' } },
    { title: 'convene_emit_exit' },
    { title: 'Done', toolCallId: 'mcp_convene_emit_exit-1' },
    { title: 'emit_exit' },
  ])('[AG2] is known by its name: %j', (call) => expect(isExit(call)).toBe(true))

  it.each<Partial<ToolCallUpdate>>([
    { title: '`rm -r x # convene emit_exit`', kind: 'execute', rawInput: { command: 'rm -r x # convene emit_exit' } },
    { title: 'x', kind: 'execute', rawInput: { command: ['sh', '-c', 'emit_exit'], name: 'convene emit_exit' } },
    { title: 'rm -r x # convene emit_exit', kind: 'execute' },
    { title: 'https://convene.example/emit_exit', kind: 'fetch' },
    { title: 'Write convene/emit_exit', kind: 'edit' },
    { title: 'Write convene/emit_exit', rawInput: { file_path: '/etc/convene/emit_exit' } },
  ])('[AG2] is not meant by a command, a path or an address that contains its name: %j', (call) =>
    expect(isExit(call)).toBe(false),
  )
})
