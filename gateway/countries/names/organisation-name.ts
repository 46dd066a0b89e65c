/** Compares names of organisations, which registers, banks and users spell differently. */
import { withoutInvisible } from '../../platform/copied-text.ts'
import { foldedWordsOf } from './fold-letters.ts'
import { type LegalForm, withoutLegalForms } from './legal-forms.ts'

/** Where banks cut names: fixed files of Danish data centres, older file formats, ISO 20022. */
const CUT_AT = [32, 35, 70, 140]
/** Fewer letters prove nothing. */
const CUT_LETTERS_MIN = 20
/** Signs that abbreviations have within a word: `A/S`, `a.m.b.a.`, `O'Brien`. */
const WITHIN_WORDS = /[.'’`´/\\]/g
/** Words between others that may be signs (`&`), or be left out; `(publ)` is no part of a name. */
const FILLERS: readonly string[] = ['og', 'och', 'o', 'ja', 'and', 'und', 'publ']

type Name = { readonly words: readonly string[]; readonly forms: readonly LegalForm[] }

/**
 * Whether a bank names the organisation with this registered name. Ignores case, accents and transliterations, signs,
 * invisible characters, and the place of the legal form, which may be missing; another one is another organisation.
 * Persons may have their family name first, and the reported name may be cut. A text without letters is no name.
 */
export function isNameOfOrganisation(registered: string, reported: string): boolean {
  const [name, other] = [parseName(registered), parseName(reported)]
  return (
    other.words.length === 0 ||
    (haveCommonForm(name, other) && (isSameName(name, other) || isSamePerson(name, other))) ||
    isCut(reported, other, registered)
  )
}

function parseName(text: string): Name {
  return withoutLegalForms(wordsOf(text))
}

function wordsOf(text: string): readonly string[] {
  return foldedWordsOf(text.replace(WITHIN_WORDS, '')).filter((word) => !FILLERS.includes(word))
}

/** Words may be written apart, together or with a hyphen. */
function isSameName({ words }: Name, other: Name): boolean {
  return words.join('') === other.words.join('')
}

function haveCommonForm({ forms }: Name, other: Name): boolean {
  return forms.length === 0 || other.forms.length === 0 || forms.some((form) => other.forms.includes(form))
}

/** Sole traders may have the name of a person, whose family name is first or last. */
function isSamePerson(name: Name, other: Name): boolean {
  const [first = '', ...others] = name.words
  const last = name.words.at(-1) ?? ''
  const isPerson = [...name.forms, ...other.forms].every((form) => form === 'ENK')
  const rotated = [others.join('') + first, last + name.words.slice(0, -1).join('')]
  return isPerson && rotated.includes(other.words.join(''))
}

/** Cut in letters or in bytes. The last word may be what remains of a filler; a space at the cut may be trimmed. */
function isCut(reported: string, { words }: Name, registered: string): boolean {
  const text = withoutInvisible(reported).trim()
  const lengths = [[...text].length, Buffer.byteLength(text)]
  const last = words.at(-1) ?? ''
  const isFiller = FILLERS.some((filler) => filler.startsWith(last))
  const start = (isFiller ? words.slice(0, -1) : words).join('')
  const whole = [parseName(registered).words, wordsOf(registered)].map((some) => some.join(''))
  return (
    CUT_AT.some((cut) => lengths.some((length) => length === cut || length === cut - 1)) &&
    start.length >= CUT_LETTERS_MIN &&
    whole.some((name) => name.startsWith(start))
  )
}
