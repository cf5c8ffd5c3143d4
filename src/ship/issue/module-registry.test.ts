import { describe, expect, it } from 'vitest'
import { purposeOf } from './module-registry.ts'

describe('the purpose of a module', () => {
  it.each([
    ['/** Reads orders. And more. */\nexport const a = 1', 'Reads orders'],
    ['/*\n * Writes orders to disk,\n * one a line\n */\n', 'Writes orders to disk, one a line'],
    ['// Sorts orders by date.\n// It is stable.\nimport x from "y"', 'Sorts orders by date'],
    ['#!/usr/bin/env python3\n"""Counts orders.\n\nLong text."""\n', 'Counts orders'],
    ['# -*- coding: utf-8 -*-\n# Finds orders by name\nimport os\n', 'Finds orders by name'],
    ["'use strict'\n/** @file\n * Prints version 1.2 of orders */", 'Prints version 1.2 of orders'],
    ['// eslint-disable no-console\n// Says hello\n', 'Says hello'],
  ])('[CX3] is what %j says at its beginning', (source, purpose) => expect(purposeOf(source)).toBe(purpose))

  it.each(['', 'export const a = 1 // a comment later on', '/* 1.0 */', '// ---\n', '/** @type {x} */\n'])(
    '[CX3] %j says none',
    (source) => expect(purposeOf(source)).toBeNull(),
  )
})
