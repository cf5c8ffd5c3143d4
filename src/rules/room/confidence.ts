/** Confidence as whole hundredths, because floats cannot say whether 0.9 − 0.6 is more than 0.3. SPEC.md § DP1. */

/** Clamps to 0–1 and rounds half up by the decimal digits: 0.575 is 58, although 0.575 × 100 is 57.49… in floats. */
export function hundredths(value: number): number {
  const [mantissa, exponent = '0'] = String(clampConfidence(value)).split('e')
  return Math.round(Number(`${mantissa}e${Number(exponent) + 2}`))
}

export function clampConfidence(value: number): number {
  return Math.min(1, Math.max(0, value))
}

export function showHundredths(value: number): string {
  return (value / 100).toFixed(2)
}
