/** The legal forms of Nordic organisations, as their names contain them. */
import { foldedWordsOf } from './fold-letters.ts'

/**
 * The spellings of each form. Finnish companies have a Swedish one as well (`Oy Berg Ab`), so these are one; a branch
 * has the form of its company in addition.
 */
const spellingsByForm = {
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
} as const satisfies Readonly<Record<string, readonly string[]>>

export type LegalForm = keyof typeof spellingsByForm

type Spelling = { readonly form: LegalForm; readonly words: readonly string[] }

const spellings: readonly Spelling[] = Object.keys(spellingsByForm)
  .filter((form): form is LegalForm => Object.hasOwn(spellingsByForm, form))
  .flatMap((form) => spellingsByForm[form].map((spelling) => ({ form, words: foldedWordsOf(spelling) })))
  .toSorted((one, other) => other.words.length - one.words.length)

/** Folded words without the legal forms before and after them; at least one word stays. */
export function withoutLegalForms(words: readonly string[]): {
  readonly words: readonly string[]
  readonly forms: readonly LegalForm[]
} {
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
