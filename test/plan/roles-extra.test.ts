/** The project's own planning roles: `plan.roles_extra`. ST7. */
import { describe, expect, it } from 'vitest'
import { convene, part, planFolder, startPlan, view } from './project.ts'

const roles_extra = { 'data-engineer': 'look at what happens to the data that is already there.' }

describe('own planning roles', () => {
  it('[ST7] take part wherever several lenses work, and appear in plan, log and documents', async () => {
    const disagrees = part('4', 'data-engineer', { reply: view('Migrate first.', 'migrate first', 'Where to begin') })
    const plan = await startPlan({ plan: { roles_extra }, lines: [disagrees] })
    expect((await plan.settled()).status).toBe('done')
    for (const phase of ['2', '4', '6b', '7']) {
      const asked = plan.of(phase).filter(({ prompt }) => prompt.includes('You are data-engineer:'))
      expect([phase, asked.length]).toEqual([phase, 1])
      expect(asked[0]!.prompt).toContain(`You are data-engineer: ${roles_extra['data-engineer']}`)
      expect((await plan.phase(phase as '4')).cast).toContain('data-engineer')
    }
    expect(plan.files.read('spec.md')).toContain(`Own role: data-engineer (${roles_extra['data-engineer']})`)
    expect(plan.files.read('design.md')).toContain('| Where to begin | migrate first | data-engineer |')
    expect((await plan.phase('4')).outputs.map(({ role }) => role)).toContain('data-engineer')
  })

  it('[ST7] a role that is no name is refused', async () => {
    const refused = await convene(planFolder({ plan: { roles_extra: { 'Data engineer': 'x' } } }), 'plan', 'x')
    expect(refused.code).toBe(2)
    expect(refused.report.error).toMatchObject({ path: expect.stringContaining('plan.roles_extra') })
  })
})
