/** The four state labels with their colours and descriptions. SPEC.md § GH. */
import { defaultLabelPrefix, ownLabels } from '../rules/issues/labels.ts'
import type { ForgeLabel } from './forge.ts'

/** In the order of `ownLabels`. */
const looks = [
  { color: '0e8a16', description: 'Ready to be implemented' },
  { color: 'fbca04', description: 'Being implemented now' },
  { color: 'd93f0b', description: 'Cannot continue without help; the comment says why' },
  { color: '5319e7', description: 'Implemented, tested and committed' },
]

/** [GH1] */
export function ownLabelDefinitions(prefix: string = defaultLabelPrefix): ForgeLabel[] {
  return ownLabels(prefix).map((name, index) => ({ name, ...looks[index]! }))
}
