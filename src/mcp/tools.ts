/**
 * The tools of the MCP server, in the order in which clients list them. Each loads its work when it is called: some clients ask
 * their model without our tools if these are not offered in time.
 */
import type { Tool } from './calls/tool.ts'
import { answerTool } from './tools/answer.ts'
import { askTool } from './tools/ask.ts'
import { buildTool } from './tools/build.ts'
import { decideTool } from './tools/decide.ts'
import { planTool } from './tools/plan.ts'
import { questionsTool } from './tools/questions.ts'
import { shipTool } from './tools/ship.ts'
import { statusTool } from './tools/status.ts'
import { stopTool } from './tools/stop.ts'

export const tools: readonly Tool[] = [
  askTool,
  planTool,
  buildTool,
  shipTool,
  statusTool,
  questionsTool,
  answerTool,
  stopTool,
  decideTool,
]
