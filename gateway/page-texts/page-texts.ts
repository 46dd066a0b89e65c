/** Returns the texts of the hosted pages in the language of a page, from one JSON catalogue per language. */
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import danish from './da.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import finnish from './fi.json' with { type: 'json' }
import norwegian from './nb.json' with { type: 'json' }
import swedish from './sv.json' with { type: 'json' }
import { type CatalogueTexts, catalogueTexts, type KeysOf } from './text-catalogue.ts'

/** The path of a text in the catalogues: `onboarding.start.begin`. */
export type TextKey = KeysOf<typeof english>

/** The texts of a language. */
export type PageTexts = CatalogueTexts<TextKey>

/** A catalogue that lacks an English text is a compile error. */
export const CATALOGUES: Readonly<Record<PageLanguage, typeof english>> = {
  en: english,
  nb: norwegian,
  sv: swedish,
  da: danish,
  fi: finnish,
}

const textsByLanguage = new Map<PageLanguage, PageTexts>()

/** The texts of the pages in a language. */
export function textsIn(language: PageLanguage): PageTexts {
  return textsByLanguage.getOrInsertComputed(language, () => catalogueTexts(language, CATALOGUES[language]))
}
