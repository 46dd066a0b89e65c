/** Renders the switch of the language: links to the same page, or buttons that also submit what was typed. */
import { html } from 'ghtml'
import { LANGUAGE_PARAMETER, languageNames, PAGE_LANGUAGES, type PageLanguage } from './page-language.ts'

/** The language of a page, and how it can be changed. */
export type PageLanguages = {
  /** English by default, without a switch. */
  readonly language?: PageLanguage
  /** The languages of the company's country, which the switch offers first. */
  readonly countryLanguages?: readonly PageLanguage[] | undefined
  /** The id of the form whose input a change of the language must keep: the switch submits it. */
  readonly switchForm?: string | undefined
  /** Whether it can be shown only once: it has no switch, which would lead away from it. */
  readonly isShownOnce?: boolean
}

type ShownRequest = { readonly method: string; readonly url: string }

/** Empty for a page without a language, and for one that can be shown only once. */
export function languageSwitch(
  { language, countryLanguages = [], switchForm, isShownOnce = false }: PageLanguages,
  request: ShownRequest,
): string {
  if (language === undefined || isShownOnce) {
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
