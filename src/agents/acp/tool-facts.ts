/** What an agent's tool call says about itself: which files, which command, and whether it is Convene's own tool. */
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ToolCallUpdate } from '@agentclientprotocol/sdk/unstable'
import type { PermissionRequest, ToolCall } from '../../kernel/agent.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { exitServerName, exitToolName } from './exit-tool.ts'

/**
 * Agents name tools of MCP servers in their own ways: `mcp__convene__emit_exit`, `emit_exit (convene MCP Server)`, … A name
 * inside a command, a path or an address is the agent's own text, and names no tool.
 */
export function exitToolOf(call: ToolCallUpdate): boolean {
  const { toolCallId, title, name, rawInput, _meta } = call
  if ([givenCommand(rawInput) ?? '', ...pathsOf(call)].some((text) => text.includes(exitToolName))) return false
  const words = [
    toolCallId,
    isNaming(call) ? title : null,
    name,
    _meta,
    isRecord(rawInput) ? [rawInput.tool, rawInput.toolName, rawInput.name] : null,
  ]
  const text = JSON.stringify(words)
  return text.includes(exitToolName) && (text.includes(exitServerName) || isExactly(title) || isExactly(name))
}

/** Whether the title is a tool's name: the title of a command may be the command, that of a fetch the address. */
function isNaming({ kind, title }: ToolCallUpdate): boolean {
  if (kind === 'execute') return /^[\w.-]+$/.test(title ?? '')
  return kind === undefined || kind === null || kind === 'other' || kind === 'think'
}

const isExactly = (name: string | null | undefined) => name === exitToolName

export function describeTool(call: ToolCallUpdate, folder: string): Pick<ToolCall, 'tool' | 'summary' | 'file'> {
  const path = pathsOf(call)[0]
  const file = path === undefined ? undefined : shownPath(path, folder)
  const tool = call.kind ?? 'tool'
  const summary = oneLine(commandOf(call) ?? call.title ?? tool, 200).replaceAll(`${folder}${sep}`, '')
  return { tool, summary, ...(file !== undefined && call.kind === 'read' ? { file } : {}) }
}

/** Where an agent is in the list that it keeps of its own work: `2 of 5: write the tests`. Null: the list is empty. */
export function describePlan(entries: unknown): string | null {
  const all = Array.isArray(entries) ? entries.filter(isRecord) : []
  if (all.length === 0) return null
  const at = all.findIndex(({ status }) => status !== 'completed')
  if (at === -1) return `${all.length} of ${all.length} done`
  const current = all.find(({ status }) => status === 'in_progress') ?? all[at]!
  return oneLine(`${all.indexOf(current) + 1} of ${all.length}: ${current.content}`, 200)
}

/** Paths in the worktree are relative: after a restart the same request must look the same. */
export function permissionOf(call: ToolCallUpdate, folder: string): PermissionRequest {
  const path = pathsOf(call)[0]
  const command = commandOf(call)
  const plain = (text: string) => text.replaceAll(`${folder}${sep}`, '').replaceAll(folder, '.')
  return {
    tool: call.kind ?? 'other',
    title: plain(oneLine(call.title ?? call.name ?? call.kind ?? 'a tool', 300)),
    ...(path === undefined ? {} : { path: plain(path) }),
    ...(command === undefined ? {} : { command: plain(oneLine(command, 2000)) }),
  }
}

/** Whether every path that the call names lies in the folder, links followed. */
export async function isInside(call: ToolCallUpdate | { path: string }, folder: string): Promise<boolean> {
  const root = await realpath(folder)
  const paths = 'path' in call ? [call.path] : pathsOf(call)
  for (const path of paths) {
    const target = await realPath(resolve(root, path))
    const inside = relative(root, target)
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return false
    if (inside === '.git' || inside.startsWith(`.git${sep}`)) return false
  }
  return true
}

/** Resolves the part of a path that exists. */
async function realPath(path: string): Promise<string> {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => null)
    if (real !== null) return join(real, ...missing)
    if (at === dirname(at)) return path
    missing.unshift(at.slice(dirname(at).length).replace(/^\//, ''))
  }
}

const pathKeys = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'cwd', 'workdir', 'dir_path']

function pathsOf({ locations, rawInput, content }: ToolCallUpdate): string[] {
  const located = (locations ?? []).map(({ path }) => path)
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []))
  const given = isRecord(rawInput) ? pathKeys.map((key) => rawInput[key]) : []
  return [...located, ...diffs, ...given].filter((path): path is string => typeof path === 'string' && path !== '')
}

function commandOf({ kind, rawInput }: ToolCallUpdate): string | undefined {
  return kind === undefined || kind === null || kind === 'execute' ? givenCommand(rawInput) : undefined
}

function givenCommand(rawInput: unknown): string | undefined {
  if (!isRecord(rawInput)) return undefined
  const command = rawInput.command ?? rawInput.cmd
  if (typeof command === 'string') return command
  return Array.isArray(command) ? command.map(String).join(' ') : undefined
}

function shownPath(path: string, folder: string): string | undefined {
  const inside = isAbsolute(path) ? relative(folder, path) : path
  return inside.startsWith('..') ? undefined : inside.split(sep).join('/')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
