/** The tools that a model gets for an ask: those of a workspace, or those that read one commit. */
import type { AgentRoom, AgentSource, AgentWorkspace, CallOptions, ToolCall } from '../../kernel/agent.ts'
import { asOneObject, type ReplyForm } from '../prompts/reply-form.ts'
import { edit } from '../tools/edit.ts'
import { list } from '../tools/list.ts'
import { read } from '../tools/read.ts'
import { earlier } from '../tools/room/earlier.ts'
import { tell } from '../tools/room/tell.ts'
import { run } from '../tools/run.ts'
import { search } from '../tools/search.ts'
import { sourceBlame } from '../tools/source/blame.ts'
import { sourceDiff } from '../tools/source/diff.ts'
import { listSource } from '../tools/source/list.ts'
import { sourceLog } from '../tools/source/log.ts'
import { readSource } from '../tools/source/read.ts'
import { searchSource } from '../tools/source/search.ts'
import { sourceSymbols } from '../tools/source/symbols.ts'
import type { Tool, ToolAnswer } from '../tools/tool.ts'
import { useTool } from '../tools/use-tool.ts'
import { write } from '../tools/write.ts'
import { type JsonSchema, providerSchema } from './provider-schema.ts'

export interface OfferedTool {
  name: string
  description: string
  schema: JsonSchema & object
  use(given: unknown, options: Pick<CallOptions, 'signal' | 'onActivity'>): Promise<ToolAnswer>
}

export interface Toolbox {
  tools: OfferedTool[]
  /** How many model replies, tool calls included, one ask may take. */
  maxSteps: number
  /** How many calls of one reply run at the same time. */
  concurrency: number
  /** The last reply cannot call tools, so that an answer comes in any case. */
  endsWithAnswer: boolean
  /** Where the work is done and how it ends. */
  instructions(form: ReplyForm): string
  onTool?: (call: ToolCall) => void
}

export function workspaceTools(workspace: AgentWorkspace, maxSteps: number): Toolbox {
  const onTool = (call: ToolCall) => workspace.onTool?.(call)
  const offer = <Input>(tool: Tool<Input, { workspace: AgentWorkspace; signal: AbortSignal }>) =>
    offered(tool, (signal) => ({ workspace, signal }), onTool)
  return {
    tools: [offer(list), offer(read), offer(search), offer(write), offer(edit), ...(workspace.run ? [offer(run)] : [])],
    maxSteps,
    // Two edits of one file must not both start from its old text.
    concurrency: 1,
    endsWithAnswer: false,
    instructions: (form) =>
      [
        'You work in a project folder through tools; what is not in a file has not been done. All paths are relative to ' +
          'that folder, and nothing outside of it can be reached.',
        workspace.run
          ? 'Check your work with the run tool before you end: what you report is verified afterwards.'
          : 'No commands can be run here; what you report is verified afterwards.',
        form === 'finish'
          ? 'When you are done, call the tool finish with the reply you were asked for. Do not just say that you are done.'
          : 'When you are done, send the reply you were asked for as your last message, without any words around it.',
        ...(form === 'object' ? [asOneObject] : []),
      ].join('\n'),
    onTool,
  }
}

export function sourceTools(source: AgentSource): Toolbox {
  const onTool = (call: ToolCall) => source.onTool?.(call)
  const offer = <Input>(tool: Tool<Input, { source: AgentSource['reader']; signal: AbortSignal }>) =>
    offered(tool, (signal) => ({ source: source.reader, signal }), onTool)
  return {
    tools: [
      offer(listSource),
      offer(readSource),
      offer(searchSource),
      offer(sourceSymbols),
      offer(sourceLog),
      offer(sourceDiff),
      offer(sourceBlame),
      ...(source.room ? roomTools(source.room, onTool) : []),
    ],
    maxSteps: source.maxSteps,
    concurrency: 4,
    endsWithAnswer: true,
    instructions: (form) => howToReply[form],
    onTool,
  }
}

const howToReply: Record<ReplyForm, string> = {
  finish: 'Give your reply by calling the tool finish, once you have read what you need.',
  object: `${asOneObject} Read what you need before.`,
  words: '',
}

function roomTools(room: AgentRoom, onTool: (call: ToolCall) => void): OfferedTool[] {
  const offer = <Input>(tool: Tool<Input, { room: AgentRoom; signal: AbortSignal }>) =>
    offered(tool, (signal) => ({ room, signal }), onTool)
  return [...(room.others.length > 0 ? [offer(tell)] : []), ...(room.hidesMessages ? [offer(earlier)] : [])]
}

function offered<Input, Deps extends { signal: AbortSignal }>(
  tool: Tool<Input, Deps>,
  depsOf: (signal: AbortSignal) => Deps,
  onTool: (call: ToolCall) => void,
): OfferedTool {
  return {
    name: tool.name,
    description: tool.description,
    schema: schemaOf(tool),
    use: (given, { signal, onActivity }) => useTool(tool, given, depsOf(signal), { onTool, onActivity }),
  }
}

/** The inputs of tools use only the schemas' common core. */
function schemaOf<Input, Deps extends { signal: AbortSignal }>({ name, input }: Tool<Input, Deps>) {
  const structure = providerSchema('google', input)
  if (!structure) throw new Error(`the input of the tool ${name} has no portable form`)
  return structure.schema as JsonSchema & object
}
