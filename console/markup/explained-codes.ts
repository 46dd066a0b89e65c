/** Renders codes with what each means and a link to more: errors of the API, reasons of statuses, and codes of banks. */
import { html } from 'ghtml'
import { ERROR_CATALOGUE, type ErrorCode, errorDocsPath } from '../../contract/errors/error-catalogue.ts'
import { PaymentStatusReason } from '../../contract/payments/payment-status.ts'
import { bankCodesIn } from '../../gateway/banks/connector/bank-codes.ts'
import { consoleText } from '../texts/console-texts.ts'

type Explained = { readonly code: string; readonly meaning: string; readonly link: string }

const REASONS_GUIDE = '/docs/guides/payment-status'

/** An error code of the API. */
export function apiCodeMarkup(code: string): string {
  return code === '' ? '' : explainedText(html`<code>${code}</code>`, isErrorCode(code) ? [errorOf(code)] : [])
}

/** The reason of a payment's status, or of any other status, which is shown as it is. */
export function statusReasonMarkup(reason: string | null): string {
  const known = PaymentStatusReason.enum.find((one) => one === reason)
  const meaning = known && consoleText(`statusReasons.${known}`)
  const explained = meaning === undefined ? [] : [{ code: known ?? '', meaning, link: REASONS_GUIDE }]
  return reason === null ? '' : explainedText(html`<code>${reason}</code>`, explained)
}

/** What a bank answered, with the codes in it. Some texts have the meaning already. */
export function bankTextMarkup(text: string | null): string {
  const codes = text === null ? [] : bankCodesIn(text).filter(({ meaning }) => !text.includes(meaning))
  return text === null
    ? ''
    : explainedText(
        html`${text}`,
        codes.map(({ code, meaning, source }) => ({ code, meaning, link: source })),
      )
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code)
}

const errorOf = (code: ErrorCode): Explained => ({
  code,
  meaning: ERROR_CATALOGUE[code].meaning,
  link: errorDocsPath(code),
})

/** The code is repeated only where the text has others. */
function explainedText(shown: string, codes: readonly Explained[]): string {
  const meanings = codes.map(({ code, meaning, link }) => {
    const text = codes.length === 1 ? meaning : `${code}: ${meaning}`
    return html`<span class="meaning">${text} <a href="${link}" aria-label="${consoleText('codes.about', { code })}">${consoleText('codes.more')}</a></span>`
  })
  return `${shown}${meanings.join('')}`
}
