/** The name of a feature as it comes in: in one spelling, and one that can name a branch (`..` is another address). */
import { ConveneError } from '../kernel/errors.ts'
import { isSpecId } from '../rules/build/spec-id.ts'

export function featureName(given: string): string {
  const feature = oneSpelling(given)
  if (isSpecId(feature)) return feature
  throw new ConveneError('invalid_input', `feature: '${feature}' cannot name a branch`, {
    path: 'feature',
    expected: 'letters, digits, dots and dashes',
  })
}

/** An é is one character or two, and looks the same. */
export function oneSpelling(feature: string): string {
  return feature.normalize('NFC')
}
