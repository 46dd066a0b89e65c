/** Compares names of organisations, which registers, banks and users spell differently. */
import { withoutInvisible } from '../../platform/copied-text.ts'

/** Letters that Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'a',
  ø: 'o',
  œ: 'o',
  ß: 's',
  ð: 'd',
  đ: 'd',
  þ: 't',
  ł: 'l',
  ı: 'i',
}

/**
 * Without case and accents. The two ways of writing ø, o and oe, are one, and so are those of å (aa), æ and ä (ae), ö (oe),
 * ü (ue), ß (ss) and þ (th): systems use either.
 */
export function foldLetters(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[æøœßðđþłı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/a[ae]+/g, 'a')
    .replace(/([ou])e+/g, '$1')
    .replace(/s{2,}/g, 's')
    .replaceAll('th', 't')
}

/** The words of a text, folded; without signs between and invisible characters in them. */
export function foldedWordsOf(text: string): readonly string[] {
  return text
    .split(/[^\p{L}\p{N}\p{Mn}\p{Cf}]+/u)
    .map((word) => foldLetters(word.replace(/\p{Cf}/gu, '')))
    .filter((word) => word !== '')
}

/**
 * The spellings of each form. Finnish companies have a Swedish one as well (`Oy Berg Ab`), so these are one; a branch
 * has the form of its company in addition.
 */
const spellingsByForm: Readonly<Record<string, readonly string[]>> = {
  AS: ['as', 'a s', 'aksjeselskap', 'aksjeselskapet', 'aktieselskab', 'aktieselskabet'],
  ASA: ['asa', 'allmennaksjeselskap', 'almennaksjeselskap'],
  AB: ['ab', 'aktiebolag', 'aktiebolaget', 'oy', 'osakeyhtiö'],
  ABP: ['abp', 'oyj', 'julkinen osakeyhtiö', 'publikt aktiebolag'],
  APS: ['aps', 'anpartsselskab', 'anpartsselskabet'],
  IVS: ['ivs', 'iværksætterselskab'],
  HB: ['hb', 'handelsbolag', 'handelsbolaget'],
  KB: ['kb', 'ky', 'kommanditbolag', 'kommanditbolaget', 'kommandiittiyhtiö'],
  KS: ['ks', 'kommandittselskap', 'kommanditselskab'],
  PS: ['ps', 'partnerselskab'],
  IS: ['is', 'interessentskab'],
  AY: ['ay', 'avoin yhtiö', 'öb', 'öppet bolag'],
  ANS: ['ans', 'ansvarlig selskap'],
  DA: ['da', 'selskap med delt ansvar'],
  SA: ['sa', 'samvirkeforetak'],
  BA: ['ba'],
  EK: ['ek för', 'ekonomisk förening'],
  OSK: ['osk', 'osuuskunta', 'anl', 'andelslag'],
  AMBA: ['amba', 'andelsselskab'],
  SMBA: ['smba'],
  FMBA: ['fmba'],
  STIFTELSE: ['stiftelse', 'stiftelsen', 'fond', 'fonden', 'säätiö', 'sr'],
  FORENING: ['forening', 'foreningen', 'förening', 'yhdistys', 'ry', 'rf'],
  BRF: ['brf', 'bostadsrättsförening', 'bostadsrättsföreningen'],
  IKS: ['iks'],
  KF: ['kf'],
  HF: ['hf', 'helseforetak'],
  SF: ['sf', 'statsforetak'],
  LTD: ['ltd', 'limited'],
  GMBH: ['gmbh'],
  NUF: ['nuf', 'filial'],
  SE: ['se'],
  ENK: [
    'enk',
    'enkeltpersonforetak',
    'enkeltmandsvirksomhed',
    'enskild firma',
    'firma',
    'ef',
    'tmi',
    't mi',
    'toiminimi',
    'pmv',
  ],
}

type Spelling = { readonly form: string; readonly words: readonly string[] }

const spellings: readonly Spelling[] = Object.entries(spellingsByForm)
  .flatMap(([form, texts]) => texts.map((spelling) => ({ form, words: foldedWordsOf(spelling) })))
  .toSorted((one, other) => other.words.length - one.words.length)

type Name = { readonly words: readonly string[]; readonly forms: readonly string[] }

/** Folded words without the legal forms before and after them; at least one word stays. */
function withoutLegalForms(words: readonly string[]): Name {
  const after = spellings.find((spelling) => isAt(words, spelling, words.length - spelling.words.length))
  const before = spellings.find((spelling) => isAt(words, spelling, 0))
  const [found, rest] =
    after === undefined
      ? [before, words.slice(before?.words.length)]
      : [after, words.slice(0, words.length - after.words.length)]
  if (found === undefined || rest.length === 0) {
    return { words, forms: [] }
  }
  const inner = withoutLegalForms(rest)
  return { words: inner.words, forms: [...inner.forms, found.form] }
}

function isAt(words: readonly string[], spelling: Spelling, index: number): boolean {
  return spelling.words.every((word, offset) => words[index + offset] === word)
}

/** Where banks cut names: fixed files of Danish data centres, older file formats, ISO 20022. */
const CUT_AT = [32, 35, 70, 140]
/** Fewer letters prove nothing. */
const CUT_LETTERS_MIN = 20
/** Signs that abbreviations have within a word: `A/S`, `a.m.b.a.`, `O'Brien`. */
const WITHIN_WORDS = /[.'’`´/\\]/g
/** Words between others that may be signs (`&`), or be left out; `(publ)` is no part of a name. */
const FILLERS: readonly string[] = ['og', 'och', 'o', 'ja', 'and', 'und', 'publ']

/**
 * Whether a bank names the organisation with this registered name. Ignores case, accents and transliterations, signs,
 * invisible characters, and the place of the legal form, which may be missing; another one is another organisation.
 * Persons may have their family name first, and the reported name may be cut. A text without letters is no name.
 */
export function isNameOfOrganisation(registered: string, reported: string): boolean {
  const [name, other] = [parseName(registered), parseName(reported)]
  return (
    foldedWordsOf(reported).length === 0 ||
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
