/** Tests that the code uses every text of the console, with a value for each placeholder. */
import { expect, it } from 'vitest'
import { textsByKey } from '../../gateway/page-texts/text-catalogue.ts'
import { readSourceFiles } from '../../setup/source-files.ts'
import { CONSOLE_CATALOGUE } from './console-texts.ts'

const texts = textsByKey(CONSOLE_CATALOGUE)
const sources = (await readSourceFiles()).filter(({ isTest, path }) => !isTest && path.startsWith('console/'))

/** The keys that a literal stands for: one, or those of a template such as `roles.${role}`. */
function keysOf(literal: string): readonly string[] {
  if (!literal.includes('$')) {
    return [literal]
  }
  const pattern = literal.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '[\\w.-]+')
  return [...texts.keys()].filter((key) => new RegExp(`^${pattern}$`).test(key))
}

it('every text is used', () => {
  const groups = Object.keys(CONSOLE_CATALOGUE).join('|')
  const literal = new RegExp(`'((?:${groups})\\.[^']+)'|\`((?:${groups})\\.[^\`]+)\``, 'g')
  const used = new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(literal)].flatMap(([, plain, template]) => keysOf(plain ?? template ?? '')),
    ),
  )
  expect([...texts.keys()].filter((key) => !used.has(key))).toEqual([])
})

it('every placeholder has a value', () => {
  const call = /\bconsoleText\(\s*'([^']+)'(?:,\s*(\{[^{}]*\}|\w+))?/g
  const calls = sources.flatMap(({ text }) => [...text.matchAll(call)])
  expect(calls.length).toBeGreaterThan(20)
  for (const [shown, key = '', values = ''] of calls) {
    const needed = [...String(texts.get(key)).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const passed = /^\w+$/.test(values) ? needed : (values.match(/(?<=[{,]\s*)\w+/g) ?? [])
    expect(passed, shown).toEqual(expect.arrayContaining(needed))
  }
})
