import { describe, expect, it } from 'vitest'
import { readJunitReport } from './junit-report.ts'

describe('JUnit XML', () => {
  it('of pytest uses its node ids and puts the error type first', () => {
    const { tests, broken } =
      readJunitReport(`<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">
<testcase classname="" name="tests.test_missing" file="tests/test_missing.py" time="0.0"><error message="collection failure">ImportError while importing test module
tests/test_missing.py:1: in &lt;module&gt;
    from app.parser import parse
E   ModuleNotFoundError: No module named 'app.parser'</error></testcase>
<testcase classname="tests.test_a" name="test_adds" file="tests/test_a.py" line="2" time="0.001" />
<testcase classname="tests.test_a.TestGroup" name="test_each[a &lt; b]" file="tests/test_a.py" time="0.001" />
<testcase classname="tests.test_a" name="test_fails" file="tests/test_a.py" time="0.001"><failure message="assert 3 == 4&#10; +  where 3 = add(1, 2)">&gt;   def test_fails(): assert add(1, 2) == 4
E   assert 3 == 4

tests/test_a.py:4: AssertionError</failure></testcase>
<testcase classname="tests.test_a" name="test_waits" file="tests/test_a.py" time="0.000"><skipped type="pytest.skip" message="no">why</skipped></testcase>
</testsuite></testsuites>`)
    expect(tests.map(({ fullName, state }) => `${fullName}: ${state}`)).toEqual([
      'tests/test_a.py::test_adds: passed',
      'tests/test_a.py::TestGroup::test_each[a < b]: passed',
      'tests/test_a.py::test_fails: failed',
      'tests/test_a.py::test_waits: skipped',
    ])
    expect(tests[1]?.name).toBe('test_each[a < b]')
    expect(tests[2]?.failure).toMatch(/^AssertionError: assert 3 == 4\n/)
    expect(broken).toMatchObject([{ file: 'tests/test_missing.py', failure: expect.stringContaining('app.parser') }])
  })

  it('of Java takes the type from its attribute, and text from CDATA', () => {
    const { tests } = readJunitReport(`<testsuite name="x.CalcTest" tests="3">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds()" classname="x.CalcTest" time="0.02"/>
  <testcase name="fails" classname="x.CalcTest">
    <failure message="expected: &lt;4&gt; but was: &lt;3&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
	at x.CalcTest.fails(CalcTest.java:6)]]></failure>
    <system-out><![CDATA[<failure>not one</failure>]]></system-out>
  </testcase>
  <testcase name="stub" classname="x.CalcTest">
    <error type="java.lang.UnsupportedOperationException" message="not implemented"/>
  </testcase>
</testsuite>`)
    expect(tests.map(({ name, fullName, state }) => [name, fullName, state])).toEqual([
      ['adds', 'x.CalcTest adds', 'passed'],
      ['fails', 'x.CalcTest fails', 'failed'],
      ['stub', 'x.CalcTest stub', 'failed'],
    ])
    expect(tests[1]?.failure).toMatch(/^org\.opentest4j\.AssertionFailedError: expected: <4>/)
    expect(tests[2]?.failure).toBe('java.lang.UnsupportedOperationException: not implemented')
  })

  it('of a killed runner gives the tests that finished, and none that was cut off', () => {
    const finished = '<testsuites><testsuite><testcase name="a" classname="g"/>'
    const cuts = ['<testcase name="b"><failure message="x">cut', '<testcase name="b">', '<testcase name="b', '<testca']
    for (const cut of cuts) expect(readJunitReport(finished + cut).tests.map(({ name }) => name)).toEqual(['a'])
    expect(readJunitReport('<testsuite><testcase name="a"').tests).toEqual([])
  })

  it('ignores what the command printed after the report', () => {
    const text = '<testsuite><testcase name="a"></testcase></testsuite>\n3 < 4 && done\n'
    expect(readJunitReport(text).tests).toMatchObject([{ name: 'a', state: 'passed' }])
  })

  it('decodes a report of thousands of tests whole', () => {
    const test = '<testcase name="a &lt; b"><failure message="&quot;x&quot;">&gt; &amp;&#x41;</failure></testcase>'
    const { tests } = readJunitReport(`<testsuite>${test.repeat(3000)}</testsuite>`)
    expect(tests).toHaveLength(3000)
    expect(tests.at(-1)).toMatchObject({ name: 'a < b', failure: '"x"\n> &A' })
  })
})
