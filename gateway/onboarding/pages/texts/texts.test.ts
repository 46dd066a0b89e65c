/** Tests that every language says everything, in words of its own, and names who asks and for whom. */
import { html } from 'ghtml'
import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../platform/http/pages/page-language.ts'
import { textsIn } from './texts-in.ts'

const PARTIES = { partner: 'Regnskap & Co <1>', company: 'Ørsta "Bygg" AS' }

/** Every text of a language by its path; functions are called with samples. */
function allTexts(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') {
    return [[path, value]]
  }
  if (typeof value === 'function') {
    return allTexts(value(...sampleOf(path)), path)
  }
  return Object.entries(value ?? {}).flatMap(([name, inner]) => allTexts(inner, `${path}.${name}`))
}

function sampleOf(path: string): readonly unknown[] {
  if (path === '.ownSignature.startMarkup') {
    return [PARTIES.company]
  }
  return path.endsWith('Markup') || path === '.terms.clauses'
    ? [PARTIES]
    : path === '.summary.percentOf'
      ? ['33.5']
      : [2, 3]
}

/** Where the word is the same, or there is none. */
const SAME_IN_TWO_LANGUAGES = new Set([
  '.language',
  '.documents.size',
  '.summary.percentOf',
  '.terms.version',
  '.owners.owner',
])
const english = new Map(allTexts(textsIn('en')))

test.each(PAGE_LANGUAGES.filter((language) => language !== 'en'))(
  '%s says everything, in words of its own',
  (language) => {
    const texts = new Map(allTexts(textsIn(language)))
    expect([...texts.keys()]).toEqual([...english.keys()])
    for (const [path, text] of texts) {
      expect(text, path).not.toBe('')
      if (!SAME_IN_TWO_LANGUAGES.has(path)) {
        expect(text, path).not.toBe(english.get(path))
      }
    }
  },
)

test.each(PAGE_LANGUAGES)('%s names who asks and for whom, escaped, wherever something is decided', (language) => {
  const { ownSignature, start, terms } = textsIn(language)
  for (const markup of [start.asksMarkup(PARTIES), ownSignature.asksMarkup(PARTIES)]) {
    expect(markup).toContain(html`<strong>${PARTIES.partner}</strong>`)
    expect(markup).toContain(html`<strong>${PARTIES.company}</strong>`)
  }
  expect(ownSignature.startMarkup(PARTIES.company)).toContain(html`<strong>${PARTIES.company}</strong>`)
  expect(terms.clauses(PARTIES).join(' ')).toContain(PARTIES.partner)
  expect(terms.clauses(PARTIES)).toHaveLength(textsIn('en').terms.clauses(PARTIES).length)
})
