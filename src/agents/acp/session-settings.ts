/** Sets a session's model and mode as the ask wants them. */
import type { NewSessionResponse, SessionConfigOption } from '@agentclientprotocol/sdk/unstable'
import { narrowedMode } from '../../rules/agents/session-mode.ts'
import type { Preset } from './presets.ts'
import type { Session } from './sessions.ts'

/** The agent offers no model of that name. */
export class UnknownModel extends Error {
  constructor(model: string, offered: readonly string[]) {
    super(`has no model ${model}; it offers ${offered.slice(0, 12).join(', ')}`)
  }
}

export interface WantedSettings {
  model?: string
  preset?: Preset
  mayWrite: boolean
}

export async function applySettings(
  session: Session,
  response: Partial<NewSessionResponse>,
  { model, preset, mayWrite }: WantedSettings,
): Promise<void> {
  const options = response.configOptions ?? []
  if (model && !preset?.modelArguments) await setModel(session, options, response, model)
  if (preset) await setMode(session, options, response, preset.modes, mayWrite)
}

async function setModel(
  { id, process }: Session,
  options: readonly SessionConfigOption[],
  response: Partial<NewSessionResponse>,
  model: string,
): Promise<void> {
  const option = options.find(({ category, id: name }) => category === 'model' || name === 'model')
  const offered = option ? valuesOf(option) : olderModels(response)
  if (offered.length === 0) return
  const value = offered.find((one) => one === model) ?? offered.find((one) => one.endsWith(`/${model}`))
  if (value === undefined) throw new UnknownModel(model, offered)
  if (option)
    await process.connection.agent.request('session/set_config_option', { sessionId: id, configId: option.id, value })
  else await process.connection.agent.request('session/set_model', { sessionId: id, modelId: value })
}

async function setMode(
  { id, process }: Session,
  options: readonly SessionConfigOption[],
  { modes }: Partial<NewSessionResponse>,
  { order, reading, working }: Preset['modes'],
  mayWrite: boolean,
): Promise<void> {
  const option = options.find(({ category, id: name }) => category === 'mode' || name === 'mode')
  const current = modes?.currentModeId ?? (option ? String(option.currentValue) : undefined)
  if (current === undefined) return
  const available = modes ? modes.availableModes.map((mode) => mode.id) : valuesOf(option!)
  const wanted = narrowedMode({ current, available, order, ceiling: mayWrite ? working : reading })
  if (wanted === null) return
  if (modes) await process.connection.agent.request('session/set_mode', { sessionId: id, modeId: wanted })
  else
    await process.connection.agent.request('session/set_config_option', {
      sessionId: id,
      configId: option!.id,
      value: wanted,
    })
}

function valuesOf(option: SessionConfigOption): string[] {
  if (option.type !== 'select') return []
  return option.options.flatMap((one) => ('options' in one ? one.options.map(({ value }) => value) : [one.value]))
}

/** Before models became an option of a session, agents listed them apart. */
function olderModels(response: object): string[] {
  const { models } = response as { models?: { availableModels?: { modelId: string }[] } }
  return (models?.availableModels ?? []).map(({ modelId }) => modelId)
}
