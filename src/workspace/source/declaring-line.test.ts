import { describe, expect, it } from 'vitest'
import { reader } from '../syntax/syntax.fixture.ts'
import { declaredSymbols } from './declared-symbols.ts'

/** Each symbol with the text of its line. */
function linesIn(file: string, text: string): string[] {
  const lines = text.split('\n')
  return declaredSymbols(reader.read(file, text), text).map(
    ({ name, line }) => `${name}: ${line === undefined ? '?' : lines[line - 1]!.trim()}`,
  )
}

describe('the line of a symbol', () => {
  it('is that of the member, not of a property, a parameter or a comment with its name', () => {
    const text = `import {type Entry} from './entry.js'
// class Line is described in the readme
export default class Line<Item extends Entry = Entry> extends Emitter {
\treadonly #waiting: Array<{
\t\tlimit?: number;
\t}> = []

\t/**
\tlimit: how many at once
\t*/
\tlimit?: number;

\tconstructor(options?: Options) {
\t\tsuper({
\t\t\tspeed: 1,
\t\t\tclear: true,
\t\t});
\t}

\tget speed(): number { return 1 }

\tset speed(value: number) {}

\tasync add<Value>(task: Task<Value>): Promise<Value>;
\tasync add<Value>(task: Task<Value>, options: Options): Promise<Value>;
\tasync add<Value>(task: Task<Value>, options?: Options): Promise<Value> { return task(options) }

\tclear(): void {}
}

export {type Entry}
export {TimeoutError} from 'elsewhere'
`
    expect(linesIn('line.ts', text)).toEqual([
      'Line: export default class Line<Item extends Entry = Entry> extends Emitter {',
      'Line.limit: limit?: number;',
      'Line.constructor: constructor(options?: Options) {',
      'Line.speed: get speed(): number { return 1 }',
      'Line.speed: set speed(value: number) {}',
      'Line.add: async add<Value>(task: Task<Value>): Promise<Value>;',
      'Line.add: async add<Value>(task: Task<Value>): Promise<Value>;',
      'Line.add: async add<Value>(task: Task<Value>, options: Options): Promise<Value>;',
      'Line.clear: clear(): void {}',
      'Entry: export {type Entry}',
      "TimeoutError: export {TimeoutError} from 'elsewhere'",
    ])
  })

  it('is found in Python, below the class that it belongs to', () => {
    const text = `class Base:
    def get(self, key):
        return key


class Cache(Base):
    limit: int = 3

    def get(
        self,
        limit,
    ):
        def put(key):
            return key
        return put(limit)

    async def put(self, key):
        pass
`
    expect(linesIn('cache.py', text)).toEqual([
      'Base: class Base:',
      'Base.get: def get(self, key):',
      'Cache: class Cache(Base):',
      'Cache.limit: limit: int = 3',
      'Cache.get: def get(',
      'Cache.put: async def put(self, key):',
    ])
  })
})
