/** Normalises the name of a feature and checks that it can name a branch (`..` would be another path). */
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

export function unknownFeature(feature: string): ConveneError {
  return new ConveneError(
    'unknown_feature',
    `feature '${feature}' has no issues yet: convene greenlight ${feature} --issues issues.json`,
    { status: 404, path: 'feature' },
  )
}

/** Unicode has two spellings of é that look the same. */
export function oneSpelling(feature: string): string {
  return feature.normalize('NFC')
}
