/** Selects the language of a page: the one that the user has chosen, or else the supported one that the browser prefers. */

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
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

/** Norwegians read either written form of Norwegian. */
const NORWEGIAN_TAG = /^(no|nn)$/

/** Its headers, and its query where the user may have chosen a language on the page. */
export type PageRequest = { readonly headers: IncomingHttpHeaders; readonly query?: unknown }

/**
 * By the language that the user chose on this page or an earlier one, then by `Accept-Language` (RFC 9110, 12.5.4); when
 * there is none, or none that is supported, the given one: that of the country, where it is known.
 */
export function languageOf({ headers, query }: PageRequest, otherwise: PageLanguage = 'en'): PageLanguage {
  return chosenLanguage(query) ?? pageLanguage(readLanguageCookie(headers)) ?? acceptedLanguage(headers) ?? otherwise
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
      reply.header('set-cookie', languageCookieHeader(language, isSecure))
    }
  })
}

/** The header that stores a chosen language. */
export function languageCookieHeader(language: PageLanguage, isSecure: boolean): string {
  return cookieHeader({ name: LANGUAGE_COOKIE, path: '/', isSecure, token: language })
}

function chosenLanguage(query: unknown): PageLanguage | undefined {
  return typeof query === 'object' && query !== null && LANGUAGE_PARAMETER in query
    ? pageLanguage(query[LANGUAGE_PARAMETER])
    : undefined
}

/** Undefined when the browser names no supported language: without the header, or with `*`, it prefers none. */
function acceptedLanguage(headers: IncomingHttpHeaders): PageLanguage | undefined {
  const tags = new Negotiator({ headers }).languages()
  const languages = tags.map((tag) => pageLanguage(tag.toLowerCase().split('-')[0]?.replace(NORWEGIAN_TAG, 'nb')))
  return languages.find((language) => language !== undefined)
}

/** The language of a page, and how it can be changed. */
export type PageLanguages = {
  /** English by default, without a switch. */
  readonly language?: PageLanguage
  /** The languages of the company's country, which the switch offers first. */
  readonly countryLanguages?: readonly PageLanguage[] | undefined
  /** The id of the form whose input a change of the language must keep: the switch submits it. */
  readonly switchForm?: string | undefined
}

type ShownRequest = { readonly method: string; readonly url: string }

/** Empty for a page without a language. */
export function languageSwitch(
  { language, countryLanguages = [], switchForm }: PageLanguages,
  request: ShownRequest,
): string {
  if (language === undefined) {
    return ''
  }
  const items = [...new Set([...countryLanguages, ...PAGE_LANGUAGES])].map((other) =>
    other === language
      ? html`<li><span lang="${other}" aria-current="true">${languageNames[other].own}</span></li>`
      : html`<li>!${choice(other, switchForm, request)}</li>`,
  )
  // Enter in a field presses the first button of its form: not one that changes the language.
  const enter = switchForm === undefined ? '' : html`<button type="submit" form="${switchForm}" hidden>OK</button>`
  return html`<nav class="languages" aria-label="${languageNames[language].label}">!${enter}<ul>!${items.join('')}</ul></nav>`
}

function choice(language: PageLanguage, switchForm: string | undefined, request: ShownRequest): string {
  const { own } = languageNames[language]
  return switchForm === undefined
    ? html`<a href="${addressIn(language, request)}" lang="${language}" hreflang="${language}">${own}</a>`
    : html`<button type="submit" class="plain" form="${switchForm}" name="${LANGUAGE_PARAMETER}" value="${language}" lang="${language}">${own}</button>`
}

/** Relative, as a proxy may have removed a prefix of the path. A GET keeps its query, such as that of a bank's return. */
function addressIn(language: PageLanguage, { method, url }: ShownRequest): string {
  const query = new URLSearchParams(method === 'GET' ? url.split('?').slice(1).join('?') : '')
  query.set(LANGUAGE_PARAMETER, language)
  return `?${query}`
}
