/** Words dropped before keywords are compared. SPEC.md § DP4. */
export const stopWords: ReadonlySet<string> = new Set(
  `about above after again all and any are because been before being below between both but can could did does doing
  down during each few for from further had has have having her here him his how into its just more most nor not now off
  once only other our out over own same she should some such than that the their them then there these they this those
  through too under until use using very was were what when where which while who whom why will with would you your`.split(
    /\s+/,
  ),
)
