/** Tests that the evidence which the pages about security name exists, and that each requirement of ASVS has an answer. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url)
const [THREATS, REQUIREMENTS] = ['docs/operating/threat-model.md', 'docs/operating/asvs.md'] as const
/** Those of the levels 1 and 2 in version 5.0.0. */
const REQUIREMENTS_COUNT = 253

const textOf = (page: string) => readFileSync(new URL(page, ROOT), 'utf8')
const pathsIn = (text: string) => [...text.matchAll(/`([\w-]+(?:\/[\w.@-]+)+)`/g)].map(([, path = '']) => path)

test.each([THREATS, REQUIREMENTS])('every path that %s names exists', (page) => {
  const paths = pathsIn(textOf(page))
  expect(paths).not.toEqual([])
  expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([])
})

test('every requirement of ASVS is there once, with evidence or without, and they are counted right', () => {
  const rows = [...textOf(REQUIREMENTS).matchAll(/^\| (\d+\.\d+\.\d+) \| [12] \| [^|]+ \| ([^|]+) \|$/gm)]
  expect(new Set(rows.map(([, number]) => number)).size).toBe(REQUIREMENTS_COUNT)
  const answers = rows.map(([, , answer = '']) => answer)
  const without = answers.filter((answer) => answer.startsWith('**no**'))
  const inapplicable = answers.filter((answer) => answer.startsWith('n/a: '))
  const shown = answers.filter((answer) => !without.includes(answer) && !inapplicable.includes(answer))
  expect(shown.filter((answer) => pathsIn(answer).length === 0 && !answer.includes('](../../'))).toEqual([])
  const counts = `Of ${rows.length} requirements ${shown.length} have evidence, ${without.length} do not, and ${inapplicable.length} do not apply`
  expect(textOf(REQUIREMENTS)).toContain(counts)
})
