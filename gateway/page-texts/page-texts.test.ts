/** Tests that the catalogues of all languages fit each other and the code, and that inserted values are escaped. */
import { html } from 'ghtml'
import { describe, expect, it, test } from 'vitest'
import { readSourceFiles } from '../../setup/source-files.ts'
import { PAGE_LANGUAGES } from '../platform/http/pages/page-language.ts'
import glossary from './glossary.json' with { type: 'json' }
import { CATALOGUES, type TextKey, textsIn } from './page-texts.ts'
import { type PluralText, textsByKey } from './text-catalogue.ts'

const TRANSLATIONS = PAGE_LANGUAGES.filter((language) => language !== 'en')
/** Every text starts with one of these. */
const GROUPS = Object.keys(CATALOGUES.en)
/** Texts that are the same in English and in another language. */
const SAME_IN_ENGLISH = [
  'numbers.decimal',
  'numbers.group',
  'authorisation.labels.bank',
  'authorisation.labels.message',
  'onboarding.documents.size',
  'onboarding.number.DK',
  'onboarding.owners.owner',
  'onboarding.terms.version',
]
/** Every quotation mark, also those that no language of ours uses. */
const QUOTATION_MARKS = /["'“”„«»‘‹›]/g
/** Texts by which a user decides: they name who requests it, and for whom. */
const DECISIONS: readonly TextKey[] = [
  'authorisation.review.asks',
  'authorisation.review.asksForAccess',
  'authorisation.review.asksToCancel',
  'authorisation.payroll.asksToCancel',
  'authorisation.confirm.given',
  'authorisation.person.asks',
  'authorisation.person.confirm.given',
  'onboarding.start.asks',
  'onboarding.signer.asks',
]
/** The values that pages pass as `parties`. */
const PARTIES: Readonly<Record<string, readonly string[]>> = {
  authorisation: ['bank', 'company', 'partner'],
  onboarding: ['company', 'partner'],
}

const english = textsByKey(CATALOGUES.en)
const sources = (await readSourceFiles()).filter(({ isTest, path }) => !isTest && path.startsWith('gateway/'))

/** The forms of a plural text, or the one text. */
function formsOf(text: string | PluralText | undefined): readonly (readonly [form: string, text: string])[] {
  return typeof text === 'object' ? Object.entries(text) : [['text', text ?? '']]
}

/** Those that are needed for some value: `one` may leave out its number. */
function placeholdersOf(text: string | PluralText | undefined): readonly string[] {
  const names = formsOf(text).flatMap(([, form]) => [...form.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name))
  return [...new Set(names)].toSorted()
}

/**
 * The keys that a literal in the code refers to: one, or those of a template such as
 * `onboarding.signers.roles.${kind}`.
 */
function keysOf(literal: string): readonly string[] {
  const pattern = literal.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '[\\w.-]+')
  return [...english.keys()].filter((key) => new RegExp(`^${pattern}$`).test(key))
}

describe.each(TRANSLATIONS)('the catalogue %s', (language) => {
  const texts = textsByKey(CATALOGUES[language])

  it('has exactly the texts of the English one', () => {
    expect([...texts.keys()].filter((key) => !english.has(key))).toEqual([])
    expect([...english.keys()].filter((key) => !texts.has(key))).toEqual([])
  })

  it('has the plural forms that the language needs', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [key, text] of texts) {
      const expected = typeof english.get(key) === 'object' ? pluralCategories.toSorted() : ['text']
      expect(
        formsOf(text)
          .map(([form]) => form)
          .toSorted(),
        key,
      ).toEqual(expected)
    }
  })

  it('has the placeholders of the English texts', () => {
    for (const [key, text] of texts) {
      expect(placeholdersOf(text), key).toEqual(placeholdersOf(english.get(key)))
    }
  })

  it('is translated', () => {
    const untranslated = [...texts].filter(
      ([key, text]) => !SAME_IN_ENGLISH.includes(key) && JSON.stringify(text) === JSON.stringify(english.get(key)),
    )
    expect(untranslated).toEqual([])
  })
})

test.each(PAGE_LANGUAGES)('the catalogue %s has no empty texts', (language) => {
  const isEmpty = (text: string) => text === '' || /^ | $/.test(text)
  const empty = [...textsByKey(CATALOGUES[language])].filter(([, text]) =>
    formsOf(text).some(([, form]) => isEmpty(form)),
  )
  expect(empty).toEqual([])
})

test.each(PAGE_LANGUAGES)('the catalogue %s has the words and quotation marks of the glossary', (language) => {
  for (const [key, text] of textsByKey(CATALOGUES[language])) {
    for (const [, form] of formsOf(text)) {
      const avoided = glossary.avoid[language].filter((words) => form.toLowerCase().includes(words.toLowerCase()))
      const marks = form.match(QUOTATION_MARKS) ?? []
      expect(avoided, key).toEqual([])
      expect(
        marks.filter((mark) => !glossary.quotationMarks[language].includes(mark)),
        key,
      ).toEqual([])
    }
  }
})

test('the glossary names every term in every language', () => {
  for (const [term, words] of Object.entries(glossary.terms)) {
    expect(Object.keys(words).toSorted(), term).toEqual(PAGE_LANGUAGES.toSorted())
  }
})

test('the texts by which a user decides name the partner and the company', () => {
  for (const key of DECISIONS) {
    expect(placeholdersOf(english.get(key)), key).toEqual(expect.arrayContaining(['company', 'partner']))
  }
})

describe('the code', () => {
  it('uses every text', () => {
    const literal = new RegExp(`'((?:${GROUPS.join('|')})\\.[^']+)'|\`((?:${GROUPS.join('|')})\\.[^\`]+)\``, 'g')
    const used = sources.flatMap(({ text }) =>
      [...text.matchAll(literal)].flatMap(([, plain, template]) => keysOf(plain ?? template ?? '')),
    )
    expect([...english.keys()].filter((key) => !used.includes(key))).toEqual([])
  })

  it('has a value for every placeholder', () => {
    const call = /\b(?:text|markup)\(\s*(?:'([^']+)'|`([^`]+)`)(?:,\s*(\{[^{}]*\}|[\w.]+))?/g
    const calls = sources.flatMap(({ text }) => [...text.matchAll(call)])
    expect(calls.length).toBeGreaterThan(100)
    for (const [shown, plain, template, values = ''] of calls) {
      for (const key of keysOf(plain ?? template ?? '')) {
        const parties = values.endsWith('parties') ? PARTIES[key.split('.')[0] ?? ''] : undefined
        const passed = parties ?? values.match(/(?<=[{,]\s*)\w+/g) ?? []
        expect(passed, shown).toEqual(expect.arrayContaining([...placeholdersOf(english.get(key))]))
      }
    }
  })

  it('inserts plain texts escaped', () => {
    const unescaped = sources.filter(({ text }) => /!\$\{(?:\w+\.)*text\(/.test(text))
    expect(unescaped.map(({ path }) => path)).toEqual([])
  })
})

describe('a text', () => {
  const hostile = { partner: '<script>alert(1)</script>', company: 'A & "B" {bank} $&', bank: '<b>Bank</b>' }

  it.each(PAGE_LANGUAGES)('as markup in %s has its values escaped', (language) => {
    for (const key of DECISIONS) {
      const markup = textsIn(language).markup(key, hostile)
      expect(markup, key).toContain(html`<strong>${hostile.partner}</strong>`)
      expect(markup, key).toContain(html`<strong>${hostile.company}</strong>`)
      expect(markup.replaceAll(/<\/?strong>/g, ''), key).not.toMatch(/[<>]/)
    }
  })

  it('has its values inserted as they are, be they like a placeholder', () => {
    expect(textsIn('en').text('authorisation.result.back', { partner: 'A {bank} $& <b>' })).toBe(
      'Back to A {bank} $& <b>',
    )
  })

  it('has the form of its number', () => {
    const totals = [0, 1, 2].map((count) => textsIn('fi').text('authorisation.total', { count }))
    expect(totals).toEqual(['Yhteensä 0 maksua', '1 maksu', 'Yhteensä 2 maksua'])
  })

  it('without a value for a placeholder is an error', () => {
    expect(() => textsIn('en').text('authorisation.result.back')).toThrow('{partner}')
  })
})
