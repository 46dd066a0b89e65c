/** Tests that every language says everything, with the names of those who take part, and nothing of another language. */
import { html } from 'ghtml'
import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../platform/http/pages/page-language.ts'
import { textsIn } from './texts-by-language.ts'

const PARTIES = { partner: 'Regnskap & Co <1>', company: 'Ørsta "Bygg" AS', bank: 'Fjordbanken' }

/** Every text of a language by its path; functions are called with samples. */
function allTexts(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') {
    return [[path, value]]
  }
  if (typeof value === 'function') {
    return path.endsWith('title') && value.length === 1 && path === '.title'
      ? [1, 3].flatMap((count) =>
          ['consent', 'approval', 'cancellation'].map(
            (kind) => [`${path} ${kind} ${count}`, value({ kind, count })] as const,
          ),
        )
      : [[path, value(...sampleOf(path))]]
  }
  return Object.entries(value ?? {}).flatMap(([name, inner]) => allTexts(inner, `${path}.${name}`))
}

function sampleOf(path: string): readonly unknown[] {
  if (path.endsWith('Markup')) {
    return [PARTIES]
  }
  return /total|progress|next\.title|signed/.test(path) ? [2, 3] : ['Fjordbanken']
}

const english = new Map(allTexts(textsIn('en')))
const SAME_IN_TWO_LANGUAGES = new Set([
  '.language',
  '.numbers.point',
  '.numbers.group',
  '.labels.bank',
  '.labels.message',
])

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
  const { review, confirm, person } = textsIn(language)
  const asking = [review.asksMarkup, review.asksForAccessMarkup, review.asksToCancelMarkup]
  for (const write of [...asking, confirm.givenMarkup, person.confirm.givenMarkup]) {
    const markup = write(PARTIES)
    expect(markup).toContain(html`<strong>${PARTIES.partner}</strong>`)
    expect(markup).toContain(html`<strong>${PARTIES.company}</strong>`)
    expect(markup).toContain('Fjordbanken')
  }
})
