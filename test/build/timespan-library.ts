/** A small Python library to build: three parts in two levels. */
import type { Part } from './rehearsed-part.ts'

const criteria = {
  sum: { id: 'sum', text: '`1h 30m` is 5400 seconds' },
  tokens: { id: 'tokens', text: 'a text is split into amounts with their units' },
  numbers: { id: 'numbers', text: 'an amount may have a fraction, with a point or a comma' },
  units: { id: 'units', text: 's, m, h and d are known units; any other is a ValueError that names it' },
}

const numbers: Part = {
  spec: {
    id: 'numbers',
    description: 'Reads an amount',
    acceptanceCriteria: [criteria.numbers],
    targetPath: 'timespan/numbers.py',
    testPath: 'tests/test_numbers.py',
  },
  interfaceFile: 'timespan/numbers.py',
  contract: 'contract/test_numbers_contract.py',
  tests: { numbers: 'test_fraction_with_point_or_comma' },
  scaffold: {
    'timespan/numbers.py': `def read_amount(text: str) -> float:\n    raise NotImplementedError\n`,
    'contract/test_numbers_contract.py': `from timespan.numbers import read_amount


def test_whole_amount():
    assert read_amount("12") == 12
`,
  },
  testFiles: {
    'tests/test_numbers.py': `import pytest

from timespan.numbers import read_amount


def test_fraction_with_point_or_comma():
    assert read_amount("1.5") == read_amount("1,5") == 1.5
    with pytest.raises(ValueError):
        read_amount("1.5.2")
`,
  },
  code: {
    'timespan/numbers.py': `def read_amount(text: str) -> float:
    """A number as people write it."""
    return float(text.replace(",", "."))
`,
  },
}

const tokens: Part = {
  spec: {
    id: 'tokens',
    description: 'Splits a text into amounts and units',
    acceptanceCriteria: [criteria.tokens, criteria.numbers],
    targetPath: 'timespan/tokens.py',
    testPath: 'tests/test_tokens.py',
  },
  interfaceFile: 'timespan/tokens.py',
  contract: 'contract/test_tokens_contract.py',
  tests: { tokens: 'test_amounts_with_units' },
  scaffold: {
    'timespan/tokens.py': `from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    amount: float
    unit: str


def tokenize(text: str) -> list[Token]:
    raise NotImplementedError
`,
    'contract/test_tokens_contract.py': `from timespan.tokens import tokenize


def test_numbers_are_read():
    assert tokenize("2,5h")[0].amount == 2.5
`,
  },
  testFiles: {
    'tests/test_tokens.py': `from timespan.tokens import Token, tokenize


def test_amounts_with_units():
    assert tokenize(" 1h 30m") == [Token(1, "h"), Token(30, "m")]
`,
  },
  code: {
    'timespan/tokens.py': `import re
from dataclasses import dataclass

from timespan.numbers import read_amount


@dataclass(frozen=True)
class Token:
    amount: float
    unit: str


def tokenize(text: str) -> list[Token]:
    found = re.findall(r"([\\d.,]+)\\s*([a-z]+)", text)
    return [Token(read_amount(amount), unit) for amount, unit in found]
`,
  },
  parts: [numbers],
}

const units: Part = {
  spec: {
    id: 'units',
    description: 'Knows how long a unit is',
    acceptanceCriteria: [criteria.units],
    targetPath: 'timespan/units.py',
    testPath: 'tests/test_units.py',
  },
  interfaceFile: 'timespan/units.py',
  contract: 'contract/test_units_contract.py',
  tests: { units: 'test_unknown_unit_is_named' },
  scaffold: {
    'timespan/units.py': `def seconds_in(unit: str) -> int:\n    raise NotImplementedError\n`,
    'contract/test_units_contract.py': `from timespan.units import seconds_in


def test_a_day():
    assert seconds_in("d") == 86400
`,
  },
  testFiles: {
    'tests/test_units.py': `import pytest

from timespan.units import seconds_in


def test_unknown_unit_is_named():
    assert [seconds_in(unit) for unit in "smh"] == [1, 60, 3600]
    with pytest.raises(ValueError, match="fortnight"):
        seconds_in("fortnight")
`,
  },
  code: {
    'timespan/units.py': `_seconds = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_in(unit: str) -> int:
    if unit not in _seconds:
        raise ValueError(f"no such unit: {unit}")
    return _seconds[unit]
`,
  },
}

export const timespan: Part = {
  spec: {
    id: 'timespan',
    description: 'Reads spans of time as people write them',
    acceptanceCriteria: Object.values(criteria),
    targetPath: 'timespan/__init__.py',
    testPath: 'tests/test_timespan.py',
  },
  interfaceFile: 'timespan/__init__.py',
  contract: 'contract/test_timespan_contract.py',
  tests: { sum: 'test_hours_and_minutes' },
  scaffold: {
    'timespan/__init__.py': `def parse_seconds(text: str) -> float:\n    raise NotImplementedError\n`,
    'contract/test_timespan_contract.py': `import pytest

from timespan import parse_seconds


def test_tokens_numbers_and_units_together():
    assert parse_seconds("1,5d") == 129600
    with pytest.raises(ValueError, match="w"):
        parse_seconds("2w")
`,
  },
  testFiles: {
    'tests/test_timespan.py': `from timespan import parse_seconds


def test_hours_and_minutes():
    assert parse_seconds("1h 30m") == 5400
`,
  },
  code: {
    'timespan/__init__.py': `from timespan.tokens import tokenize
from timespan.units import seconds_in


def parse_seconds(text: str) -> float:
    return sum(token.amount * seconds_in(token.unit) for token in tokenize(text))
`,
  },
  parts: [tokens, units],
}
