/** Selects the language of a page: the supported one that the browser's user prefers. */
import Negotiator from 'negotiator'

/** The languages of our pages, by BCP 47; the first is the default. */
export const PAGE_LANGUAGES = ['en', 'nb', 'sv', 'da', 'fi'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

/** Language tags that a browser may request; Norwegians read either written form of Norwegian. */
const languageByTag: Readonly<Record<string, PageLanguage>> = {
  en: 'en',
  nb: 'nb',
  no: 'nb',
  nn: 'nb',
  sv: 'sv',
  da: 'da',
  fi: 'fi',
}

/** By `Accept-Language` (RFC 9110, 12.5.4); English when there is none, or none that is supported. */
export function languageOf(headers: { readonly 'accept-language'?: string | undefined }): PageLanguage {
  const [best] = new Negotiator({ headers }).languages(Object.keys(languageByTag))
  return languageByTag[best ?? 'en'] ?? 'en'
}
