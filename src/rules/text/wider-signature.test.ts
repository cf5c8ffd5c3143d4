import { expect, it } from 'vitest'
import { addsOnlyOptional, addsOnlyOptions } from './wider-signature.ts'

const type = (...members: string[]) => `interface Options { ${members.join('; ')} }`

it('[MG3] a new optional member is no breaking change', () => {
  expect(addsOnlyOptional(type('long: boolean'), type('long: boolean', 'short?: boolean'))).toBe(true)
  expect(addsOnlyOptional(type('a: 1', 'b: 2'), type('a: 1', "'x-y'?: Map<string, number>", 'b: 2'))).toBe(true)
  expect(addsOnlyOptional(type('a: { b: 1 }'), type('a: { b: 1; c?: 2 }'))).toBe(true)
  expect(addsOnlyOptional(type('a: { b: 1 }'), type('a: { b: 1; c: 2 }'))).toBe(false)
  expect(addsOnlyOptional(type('a: { b: 1 }'), type('d: { b: 1; c?: 2 }'))).toBe(false)
  expect(addsOnlyOptional('{\n  a: number\n}', '{\n  a: number\n  run?(): void\n}')).toBe(true)
})

it('[MG3] nor one of a type with type parameters and ancestors', () => {
  const options = (...members: string[]) =>
    `interface Options<T extends { value: any; run?: () => void }> extends Base<T['value'], Prompt<T>> { ${members.join('; ')} }`
  expect(addsOnlyOptional(options('options: T[]'), options('options: T[]', 'loop?: boolean'))).toBe(true)
  expect(addsOnlyOptional(options('options: T[]'), options('options: T[]', 'loop: boolean'))).toBe(false)
})

it('[MG3] neither is a new method', () => {
  expect(addsOnlyOptional(type('a: 1'), type('a: 1', 'run(x: string): void'))).toBe(true)
  expect(addsOnlyOptional(type('a: 1'), type('a: 1', 'map<T>(x: T): T[]'))).toBe(true)
  expect(addsOnlyOptional(type('a: 1'), type('a: 1', 'run: (x: string) => void'))).toBe(true)
})

it.each([
  ['a new required member', type('a: 1'), type('a: 1', 'b: 2')],
  ['a removed member', type('a: 1', 'b: 2'), type('a: 1', 'c?: 3')],
  ['a changed member', type('a: 1'), type('a: 2', 'c?: 3')],
  ['another name', type('a: 1'), type('a: 1', 'c?: 3').replace('Options', 'Other')],
  ['no members at all', 'type A = string', 'type A = number'],
  ['nothing new', type('a: 1'), type('a: 1')],
])('[MG3] but %s is', (_, before, after) => {
  expect(addsOnlyOptional(before, after)).toBe(false)
})

it.each([
  ['f(_, { b?, c }?)', 'f(_, { b?, c, d }?)'],
  ['async f<T>(T, { a?: number }?): Promise<T>', 'async f<T>(T, { a?: number; b?: string }?): Promise<T>'],
  ['f({ a })', 'f({ a, b? })'],
  ['f({ x: 1 }): { y: 1 }', 'f({ x: 1 }): { y: 1; z?: 2 }'],
])('[MG3] nor is one more option of a function: %s → %s', (before, after) => {
  expect(addsOnlyOptions(before, after)).toBe(true)
})

it.each([
  ['f(string)', 'f(string, number?)'],
  ['constructor(string | Error)', 'constructor(string | Error, { cause?: unknown }?)'],
  ['f(_, { a }?)', 'f(_, { a, b }?, number?)'],
  ['f(_)', 'f(_, ..._)'],
  ['sum_of_squares(it)', 'sum_of_squares(it, *, start = ...)'],
  ['f(it) -> int', 'f(it, start: int = ...) -> int'],
  ['f(it, *, key)', 'f(it, *, start = ..., key)'],
  ['f(it, *, key)', 'f(it, start = ..., *, key)'],
  ['f(it)', 'f(it, *args, **rest)'],
  ['f(a: str | bytes) -> int', 'f(a: str | bytearray | bytes) -> int'],
  ['f(a: str, b: int = ...)', 'f(a: str | bytes, b: int | None = ...)'],
  ['f(a: str)', 'f(a: str = ...)'],
  ['f(string): number', 'f(string | string[]): number'],
  ['f(Map<string, 1 | 2>?)', 'f(Map<string, 1 | 2> | null?)'],
])('[MG3] nor is a parameter that may be left out or takes more: %s → %s', (before, after) => {
  expect(addsOnlyOptions(before, after)).toBe(true)
})

it('[VF3] in JavaScript a parameter at the end that is not typed may be left out, where that is asked', () => {
  expect(addsOnlyOptions('isEan(_)', 'isEan(_, _)', 'javascript')).toBe(true)
  expect(addsOnlyOptions('isEan(_)', 'isEan(_, _)', 'python')).toBe(false)
  expect(addsOnlyOptions('isEan(_, { a }?)', 'isEan(_, _, { a }?)', 'javascript')).toBe(false)
})

it.each([
  ['f(string)', 'f(number?, string)'],
  ['f(string, ...number)', 'f(string, boolean?, ...number)'],
  ['f(it, step = ...)', 'f(it, start = ..., step = ...)'],
  ['f(it, step = ...)', 'f(it, *, step = ...)'],
  ['f(it)', 'f(it, *, start)'],
  ['f(string, number?)', 'f(string)'],
  ['f(string)', 'f(string, number)'],
  ['f({ a })', 'f({ a, b })'],
  ['f({ a: number }?)', 'f({ a: number; b: string }?)'],
  ['f({ a, b }?)', 'f({ a, c }?)'],
  ['f({ a }?)', 'f({ a, b }?, _)'],
  ['f(): { y: 1 }', 'f(): { y: 1; z: 2 }'],
  ['f({ a }?): void', 'f({ a, b }?): string'],
  ['f(number)', 'f(string)'],
  ['f(a: str | bytes)', 'f(a: str | bytearray)'],
  ['f(a: str)', 'f(b: str | bytes)'],
  ["f('a|b')", "f('a|c|b')"],
  ['f(string?)', 'f(string | number)'],
  ['f(a: str = ...)', 'f(a: str | bytes)'],
  ['f((x) => string)', 'f((x) => string | number)'],
  ['f(string | number): 1', 'f(string | number): 1 | 2'],
])('[MG3] but %s → %s is', (before, after) => {
  expect(addsOnlyOptions(before, after)).toBe(false)
})
