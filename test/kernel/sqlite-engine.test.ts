/** The local engine passes the engine's contract suite. */
import { engineContract } from '../contract/engine.ts'
import { openLocalEngine } from './open-engine.ts'

engineContract('SQLite', async ({ folder, ...options }) => openLocalEngine(folder, options))
