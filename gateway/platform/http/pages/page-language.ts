/** Selects the language of a page: the one that the user has chosen, or else the supported one that the browser prefers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import { cookieHeader, LANGUAGE_COOKIE, readLanguageCookie } from './page-cookie.ts'

/** The languages of our pages, by BCP 47; the first is the default. */
export const PAGE_LANGUAGES = ['en', 'nb', 'sv', 'da', 'fi'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

/** The query parameter, and the field of a form, by which a user chooses a language. */
export const LANGUAGE_PARAMETER = 'language'

/** The name of each language in itself, and its word for languages. */
export const languageNames: Readonly<Record<PageLanguage, { readonly own: string; readonly label: string }>> = {
  en: { own: 'English', label: 'Language' },
  nb: { own: 'Norsk', label: 'Språk' },
  sv: { own: 'Svenska', label: 'Språk' },
  da: { own: 'Dansk', label: 'Sprog' },
  fi: { own: 'Suomi', label: 'Kieli' },
}

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

/** Its headers, and its query where the user may have chosen a language on the page. */
type PageRequest = { readonly headers: IncomingHttpHeaders; readonly query?: unknown }

/**
 * By the language that the user chose on this page or an earlier one, then by `Accept-Language` (RFC 9110, 12.5.4);
 * English when there is none, or none that is supported.
 */
export function languageOf({ headers, query }: PageRequest): PageLanguage {
  return chosenLanguage(query) ?? pageLanguage(readLanguageCookie(headers)) ?? acceptedLanguage(headers)
}

/** A text as a language of our pages; undefined if it is none. */
export function pageLanguage(text: unknown): PageLanguage | undefined {
  return PAGE_LANGUAGES.find((language) => language === text)
}

/** Stores the language that a user chooses in a cookie, so that it applies to the pages that follow. */
export function storeChosenLanguage(server: FastifyInstance, isSecure: boolean): void {
  server.addHook('onRequest', async ({ method, query }, reply) => {
    const language = method === 'GET' ? chosenLanguage(query) : undefined
    if (language !== undefined) {
      reply.header('set-cookie', cookieHeader({ name: LANGUAGE_COOKIE, path: '/', isSecure, token: language }))
    }
  })
}

function chosenLanguage(query: unknown): PageLanguage | undefined {
  return typeof query === 'object' && query !== null && LANGUAGE_PARAMETER in query
    ? pageLanguage(query[LANGUAGE_PARAMETER])
    : undefined
}

function acceptedLanguage(headers: IncomingHttpHeaders): PageLanguage {
  const [best] = new Negotiator({ headers }).languages(Object.keys(languageByTag))
  return languageByTag[best ?? 'en'] ?? 'en'
}
