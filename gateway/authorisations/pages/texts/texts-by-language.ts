/** Gives the texts of a signing's pages in a language. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import { danish } from './danish.ts'
import { english } from './english.ts'
import { finnish } from './finnish.ts'
import { norwegian } from './norwegian.ts'
import type { SigningTexts } from './sca-page-texts.ts'
import { swedish } from './swedish.ts'

const textsByLanguage: Readonly<Record<PageLanguage, SigningTexts>> = {
  en: english,
  nb: norwegian,
  sv: swedish,
  da: danish,
  fi: finnish,
}

/** All of them are there in every language. */
export function textsIn(language: PageLanguage): SigningTexts {
  return textsByLanguage[language]
}
