/** The local engine keeps the engine's contract. */
import { engineContract } from '../contract/engine.ts'
import { openLocalEngine } from './open-engine.ts'

engineContract('SQLite', async ({ folder, ...options }) => openLocalEngine(folder, options))
