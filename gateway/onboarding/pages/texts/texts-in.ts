/** Returns the texts of the onboarding pages in a language. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import { danish } from './danish.ts'
import { english } from './english.ts'
import { finnish } from './finnish.ts'
import { norwegian } from './norwegian.ts'
import { swedish } from './swedish.ts'
import type { OnboardingTexts } from './texts.ts'

const textsByLanguage: Readonly<Record<PageLanguage, OnboardingTexts>> = {
  en: english,
  nb: norwegian,
  sv: swedish,
  da: danish,
  fi: finnish,
}

/** Every language has all texts. */
export function textsIn(language: PageLanguage): OnboardingTexts {
  return textsByLanguage[language]
}
