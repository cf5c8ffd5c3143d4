/** A remote agent keeps the contract of every agent, in both versions of the protocol. */
import type { ServerResponse } from 'node:http'
import { TaskState } from '@a2a-js/sdk'
import { createA2aAgent } from '../../src/agents/a2a/a2a-agent.ts'
import { type AgentHarness, agentContract, type Cue } from '../contract/agent.ts'
import { type Part, startPeer } from './peer.ts'

for (const version of ['1.0', '0.3'] as const)
  agentContract(`a remote agent over A2A ${version}`, { provider: 'a2a', rehearsal: false }, () => openPeer(version))

async function openPeer(version: '1.0' | '0.3'): Promise<AgentHarness> {
  const cues = new Map<string, Cue>()
  const peer = await startPeer({
    version,
    play: (asked) => partOf([...cues].find(([prompt]) => asked.includes(prompt))![1]),
  })
  return {
    agent: async (prompt, cue) => {
      cues.set(prompt, cue)
      return createA2aAgent({ name: 'far', url: peer.url })
    },
    asked: async () => peer.asked.length,
    close: () => peer.close(),
  }
}

const statusOf = { 'rate-limited': 429, timeout: 408, unavailable: 503 }

function partOf(cue: Cue): Part {
  if ('text' in cue) return { pieces: [cue.text] }
  if ('slowText' in cue) return { pieces: piecesOf(cue.slowText), latencyMs: 20 }
  switch (cue.fail) {
    case 'refused':
      return { pieces: [], state: TaskState.TASK_STATE_REJECTED, words: 'no' }
    case 'malformed':
      return { http: (response) => answer(response, 200, 'not JSON') }
    case 'disconnect':
      if (cue.afterText === undefined) return { http: (response) => response.destroy() }
      return { pieces: piecesOf(cue.afterText).slice(0, 3), breakOff: true }
    default:
      return { http: (response) => answer(response, statusOf[cue.fail as keyof typeof statusOf], 'no') }
  }
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

function piecesOf(text: string): string[] {
  return text.match(/.{1,5}/gs) ?? []
}
