/** Finds the language of a page: of those that we write, the one that the browser's user likes best. */
import Negotiator from 'negotiator'

/** The languages of our pages, by BCP 47; the first is for users of any other. */
export const PAGE_LANGUAGES = ['en', 'nb', 'sv', 'da', 'fi'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

/** Names by which a browser may ask for one of them; Norwegians read either Norwegian. */
const languageByTag: Readonly<Record<string, PageLanguage>> = {
  en: 'en',
  nb: 'nb',
  no: 'nb',
  nn: 'nb',
  sv: 'sv',
  da: 'da',
  fi: 'fi',
}

/** By `Accept-Language` (RFC 9110, 12.5.4); English when there is none, or none that we write. */
export function languageOf(headers: { readonly 'accept-language'?: string | undefined }): PageLanguage {
  const [best] = new Negotiator({ headers }).languages(Object.keys(languageByTag))
  return languageByTag[best ?? 'en'] ?? 'en'
}
