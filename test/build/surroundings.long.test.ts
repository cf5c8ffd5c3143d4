/** Faults of the surroundings in the middle of a build: asked about with their repair, and resumed to the same tree. */
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command, temporaryFolder } from '../support/convene.ts'
import {
  approval,
  type Built,
  buildProject,
  code,
  expectExit,
  held,
  type Line,
  type Project,
  specOf,
  testFile,
} from './project.ts'

const spec = specOf('inc')
const slow = 240_000
const files = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}
const reply = { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } }
const alone: Line = { when: { ask: 'implement', node: 'inc' }, files, reply, repeat: true }

/** The tree of a build of the same project that nothing disturbs. */
async function undisturbed(project: Project): Promise<string> {
  const built = await project.build()
  expectExit(built, 0)
  return built.report.tree!
}

const isAsked = (type: string) => (events: { type: string }[]) => events.some((event) => event.type === type)

/** Builds until the agent is asked, disturbs, and lets the agent go on. */
async function disturbed(project: Project, disturb: () => void): Promise<Built> {
  const building = project.build()
  await project.until(isAsked('ask.started'))
  disturb()
  project.release()
  return building
}

function expectAsked(built: Built, repair: RegExp): { id: string } {
  expectExit(built, 3)
  const [question] = built.report.questions!
  expect(question).toMatchObject({ choices: ['retry', 'give up'] })
  expect(question!.text).toMatch(repair)
  return question!
}

describe('faults of the surroundings', () => {
  it('[TR10] a removed worktree is asked about, and made again after retry', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const removed = await disturbed(project, () => {
      rmSync(project.worktrees, { recursive: true })
      rmSync(join(project.folder, '.git/worktrees'), { recursive: true })
    })
    const { id } = expectAsked(removed, /its own worktrees are made again/)
    expectExit(await project.convene('answer', id, 'retry'), 0)
    const resumed = await project.convene('resume', removed.report.run)
    expectExit(resumed, 0)
    expect(resumed.report.tree).toBe(await undisturbed(project))
  })

  it('[TR10] resuming is an answer too, and giving up ends the run', { timeout: slow }, async () => {
    const records = (project: Project) => join(project.folder, '.git/worktrees')
    // A file where git keeps its records: nothing can be made there until it is removed.
    const disturb = (project: Project) => () => {
      rmSync(records(project), { recursive: true })
      writeFileSync(records(project), '')
    }
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const first = await disturbed(project, disturb(project))
    expectAsked(first, /then answer retry$/)
    // Still broken: the same question stays open, and nothing is asked twice.
    const again = await project.convene('resume', first.report.run)
    expect(expectAsked(again, /then answer retry$/)).toEqual(first.report.questions![0])
    rmSync(records(project))
    const resumed = await project.convene('resume', first.report.run)
    expectExit(resumed, 0)
    expect(resumed.report.tree).toBe(await undisturbed(project))
    expect((await project.convene('questions')).stdout).not.toContain('answer retry')

    const other = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const broken = await disturbed(other, disturb(other))
    const { id } = expectAsked(broken, /then answer retry$/)
    expectExit(await other.convene('answer', id, 'give up'), 0)
    rmSync(records(other))
    expectExit(await other.convene('resume', broken.report.run), 1)
  })

  it('[TR10] a repository that is gone parks the run until it is back', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const objects = join(project.folder, '.git/objects')
    const broken = await disturbed(project, () => renameSync(objects, `${objects}-gone`))
    expect(broken.code).not.toBe(0)
    expect((await project.convene('resume', broken.report.run)).code).not.toBe(0)
    renameSync(`${objects}-gone`, objects)
    const resumed = await project.convene('resume', broken.report.run)
    expectExit(resumed, 0)
    expect(resumed.report.tree).toBe(await undisturbed(project))
  })

  it('[TR10] a lost conversation starts anew', { timeout: slow }, async () => {
    const wrong: Line = {
      when: { ask: 'implement', node: 'inc', attempt: 1 },
      files: { ...files, 'src/inc.js': code('inc', 'value') },
      reply,
      repeat: true,
    }
    const project = buildProject({
      spec,
      lines: [wrong, { ...alone, when: { ask: 'implement', node: 'inc', attempt: 2 }, ...held }],
    })
    const building = project.build()
    await project.until((events) => events.filter(({ type }) => type === 'ask.started').length >= 2)
    rmSync(join(project.folder, '.convene/payloads'), { recursive: true })
    project.release()
    const built = await building
    const done = built.code === 3 ? await project.convene('resume', built.report.run) : built
    expectExit(done, 0)
    expect(done.report.tree).toBe(await undisturbed(project))
  })

  it('[TR10] a full disk ends the command, and the run resumes once there is room', { timeout: slow }, () => {
    const place = temporaryFolder()
    const wrapper = ownMounts(place)
    // Where no disk can be mounted, test/kernel/limits.test.ts shows the same with a limit of the database.
    if (!wrapper) return expect(process.getuid?.()).not.toBe(0)
    const lines = [{ ...alone, ...held }, approval]
    const script = join(place, '..', `full-${process.pid}.sh`)
    writeFileSync(script, fullDisk(place, lines))
    const ended = spawnSync(wrapper[0]!, [...wrapper.slice(1), 'sh', script], { encoding: 'utf8', timeout: slow })
    rmSync(script)
    const said = `${ended.stdout}\n${ended.stderr}`
    expect(ended.status, said).toBe(0)
    const [full, resumed] = ended.stdout.split('\n').filter((line) => line.startsWith('{'))
    expect(JSON.parse(full!), said).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('the disk is full'),
    })
    expect(JSON.parse(full!).reason).toContain('convene resume build-')
    expect(JSON.parse(resumed!), said).toMatchObject({ status: 'done' })
  })
})

/** On a disk of its own: builds until the agent is asked, fills the disk, waits for the end, makes room, resumes. */
function fullDisk(place: string, lines: Line[]): string {
  const config = {
    agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
    build: {
      test: `${JSON.stringify(process.execPath)} --test --test-isolation=none`,
      worktrees: `${place}/worktrees`,
    },
  }
  const put = (path: string, value: unknown) => `cat > ${path} <<'END'\n${JSON.stringify(value)}\nEND\n`
  const hasAsked = `const {DatabaseSync}=require('node:sqlite');try{process.exit(new DatabaseSync('.convene/convene.db',{readOnly:true}).prepare("select 1 from events where type='ask.started'").all().length?0:1)}catch{process.exit(1)}`
  return `
set -e
mount -t tmpfs -o size=24m tmpfs ${place}
mkdir ${place}/project && cd ${place}/project
${put('package.json', { name: 'project', type: 'module' })}
${put('convene.yaml', config)}
${put('spec.json', spec)}
${put('../script.yaml', lines)}
git init --quiet --initial-branch=main
git -c user.name=A -c user.email=a@example.org add --all
git -c user.name=A -c user.email=a@example.org commit --quiet --message=first
git config user.name A && git config user.email a@example.org
CONVENE_TRUST=1 ${command} build spec.json --json > /dev/shm/full-$$ 2>/dev/null &
pid=$!
until "${process.execPath}" -e "${hasAsked.replaceAll('"', '\\"')}"; do sleep 0.2; done
head -c 40000000 /dev/zero > ${place}/filler 2>/dev/null || true
: > ${place}/go
wait $pid || true
cat /dev/shm/full-$$
run=$(grep -o 'build-[0-9a-f-]*' /dev/shm/full-$$ | head -n 1)
rm ${place}/filler /dev/shm/full-$$
CONVENE_TRUST=1 ${command} resume $run --json
`
}

function ownMounts(folder: string): string[] | undefined {
  const wrappers = [
    ['unshare', '-m'],
    ['unshare', '-Urm'],
  ]
  return wrappers.find(
    ([program, flags]) =>
      spawnSync(program!, [flags!, 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0"', folder]).status === 0,
  )
}
