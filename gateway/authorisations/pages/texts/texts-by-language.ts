/** Selects the page texts of a language. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import { danish } from './danish.ts'
import { english } from './english.ts'
import { finnish } from './finnish.ts'
import { norwegian } from './norwegian.ts'
import type { ScaPageTexts } from './sca-page-texts.ts'
import { swedish } from './swedish.ts'

const textsByLanguage: Readonly<Record<PageLanguage, ScaPageTexts>> = {
  en: english,
  nb: norwegian,
  sv: swedish,
  da: danish,
  fi: finnish,
}

/** The complete texts of a language. */
export function textsIn(language: PageLanguage): ScaPageTexts {
  return textsByLanguage[language]
}
