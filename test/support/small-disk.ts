/** A command on a disk of its own that is full while an agent answers, and the same run after there is room again. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, temporaryFolder } from './convene.ts'

interface Small {
  /** Holds the folder `project`, and everything that the project's paths lead to. */
  parent: string
  words: string[]
  /** The disk fills up once the type and the data of an event in the log match this, by SQL's `LIKE`. Held lines wait for `go`. */
  moment: string
  /** Prints what came out of it, in the project's folder. */
  result: string
}

export interface OnSmallDisk {
  full: { code: number; said: string }
  resumed: { code: number; said: string }
  result: string
  /** Everything that was printed. */
  all: string
}

/** Undefined where no disk can be mounted. */
export function onSmallDisk(small: Small): OnSmallDisk | undefined {
  const place = temporaryFolder()
  const wrapper = ownMounts(place)
  if (!wrapper) return undefined
  const script = join(temporaryFolder(), 'script.sh')
  writeFileSync(script, program(place, small))
  const ended = spawnSync(wrapper[0]!, [...wrapper.slice(1), 'sh', script], { encoding: 'utf8', timeout: 240_000 })
  rmSync(script)
  const all = `${ended.stdout}\n${ended.stderr}`
  const part = (name: string) => new RegExp(`^=== ${name} ?(.*)\n([^]*?)(?=^===|$(?![^]))`, 'm').exec(ended.stdout)
  const ending = (name: string) => ({ code: Number(part(name)?.[1] || Number.NaN), said: part(name)?.[2] ?? all })
  return { full: ending('full'), resumed: ending('resumed'), result: part('result')?.[2]?.trim() ?? '', all }
}

function program(place: string, { parent, words, moment, result }: Small): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const look = `const { DatabaseSync } = require('node:sqlite')
try {
  const log = new DatabaseSync('.convene/convene.db', { readOnly: true, timeout: 60_000 })
  process.exit(log.prepare("select 1 from events where type || ' ' || data like ?").all(process.argv[1]).length ? 0 : 1)
} catch { process.exit(1) }`
  return `
mount -t tmpfs -o size=24m tmpfs ${place} || exit 1
cp -a ${quoted(parent)}/. ${place}
cd ${place}/project
said=$(mktemp /dev/shm/full-XXXXXX)
export CONVENE_TRUST=1
${command} ${words.map(quoted).join(' ')} --json > $said 2>&1 &
pid=$!
trap 'kill -KILL $pid; exit 1' TERM
until ${quoted(process.execPath)} -e ${quoted(look)} ${quoted(moment)}; do kill -0 $pid || break; sleep 0.2; done
head -c 40000000 /dev/zero > ${place}/filler 2>/dev/null
: > ${place}/go
wait $pid
echo "=== full $?"
cat $said
run=$(grep -oE 'convene resume [^ "\`]+' $said | head -n 1 | cut -d' ' -f3)
rm ${place}/filler
${command} resume $run --json > $said 2>&1 &
pid=$!
wait $pid
echo "=== resumed $?"
cat $said
rm $said
echo "=== result"
${result}
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
