/** How thorough a plan is, from a spike to the full procedure. SPEC.md § RK. */
export const modes = ['rapid', 'standard', 'advanced', 'complete'] as const

export type Mode = (typeof modes)[number]

/** What a person may ask for: `auto` sizes the plan by its goal (RK4). */
export const askedModes = ['auto', ...modes] as const

export type AskedMode = (typeof askedModes)[number]
