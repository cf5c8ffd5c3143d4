/** How thorough a plan is, from a spike to the full procedure. SPEC.md § RK. */
export const modes = ['rapid', 'standard', 'advanced', 'complete'] as const

export type Mode = (typeof modes)[number]
