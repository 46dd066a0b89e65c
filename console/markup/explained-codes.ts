/** Renders codes with what each means and a link to more: errors of the API, reasons of statuses, and codes of banks. */
import { html } from 'ghtml'
import { ConsentStatusReason } from '../../contract/consents.ts'
import { ERROR_CATALOGUE, type ErrorCode, errorDocsPath } from '../../contract/errors/error-catalogue.ts'
import { OnboardingStatusReason } from '../../contract/onboarding.ts'
import { PaymentStatusReason } from '../../contract/payments/payment-status.ts'
import { type BankErrorKind, bankCodesIn } from '../../gateway/banks/connector/bank-error.ts'
import type { DealCancellationReason } from '../../gateway/fx/store/deal.ts'
import type { HoldReason } from '../../gateway/fx/store/inbound-funds.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'
import { valueText } from './value-text.ts'

type Explained = { readonly code: string; readonly meaning: string; readonly link: string }

type Reason =
  | PaymentStatusReason
  | ConsentStatusReason
  | OnboardingStatusReason
  | DealCancellationReason
  | HoldReason
  | BankErrorKind

/** The compiler lists the reasons that have no text. No code is a reason of two things. */
const REASONS: Readonly<Record<Reason, string>> = CONSOLE_CATALOGUE.statusReasons

const REASONS_GUIDE = '/docs/guides/statuses'
const CHAPTERS: readonly (readonly [reasons: readonly string[], chapter: string])[] = [
  [PaymentStatusReason.enum, 'reasons-of-a-payment'],
  [ConsentStatusReason.enum, 'reasons-of-a-consent'],
  [OnboardingStatusReason.enum, 'reasons-of-an-onboarding'],
]
const OTHER_REASONS = 'reasons-in-the-console'

/** Under these names details have a reason of ours; elsewhere the same word may be an ordinary one. */
const REASON_NAMES = ['reason', 'statusReason', 'cancelReason', 'errorKind', 'heldAs', 'why']

/** Names of ours are words with a capital inside. */
const NAMES = /\b[A-Z]\w*[A-Z]\w*\b/g

/** An error code of the API. */
export function apiCodeMarkup(code: string): string {
  return code === '' ? '' : explainedText(html`<code>${code}</code>`, isErrorCode(code) ? [errorOf(code)] : [])
}

/** The reason of a status: one of ours, or else the text of a bank or of another provider. */
export function reasonMarkup(reason: string | null, shown?: string): string {
  return reason !== null && isReason(reason)
    ? explainedText(shown ?? html`<code>${reason}</code>`, [reasonOf(reason)])
    : bankTextMarkup(reason, shown)
}

/** What a bank answered, with the codes in it. Some texts have the meaning already. */
export function bankTextMarkup(text: string | null, shown = html`${text}`): string {
  return text === null ? '' : explainedText(shown, codesIn(text))
}

/** The value of a detail under its name, as tasks, events of exchanges and the audit log have them. */
export function detailMarkup(name: string, value: unknown, shown = html`${valueText(value)}`): string {
  return explainedText(shown, codesOfDetail(name, value))
}

/** All details in one line, and what the codes in them mean. */
export function detailsMarkup(detail: Readonly<Record<string, unknown>>): string {
  const codes = Object.entries(detail).flatMap(([name, value]) => codesOfDetail(name, value))
  return Object.keys(detail).length === 0 ? '' : explainedText(html`${valueText(detail)}`, codes)
}

function codesOfDetail(name: string, value: unknown): readonly Explained[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([inner, of]) => codesOfDetail(inner, of))
  }
  const text = valueText(value)
  return REASON_NAMES.includes(name) && isReason(text) ? [reasonOf(text)] : codesIn(text)
}

/** In any text: codes of banks, and names of ours that are no ordinary words. */
function codesIn(text: string): readonly Explained[] {
  const ofBanks = bankCodesIn(text).map(({ code, meaning, source }) => ({ code, meaning, link: source }))
  const ours = [...new Set(text.match(NAMES) ?? [])].flatMap((name) =>
    isErrorCode(name) ? errorOf(name) : isReason(name) && name !== name.toUpperCase() ? reasonOf(name) : [],
  )
  return [...ofBanks, ...ours].filter(({ meaning }) => !text.includes(meaning))
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code)
}

function isReason(code: string): code is Reason {
  return Object.hasOwn(REASONS, code)
}

const errorOf = (code: ErrorCode): Explained => ({
  code,
  meaning: ERROR_CATALOGUE[code].meaning,
  link: errorDocsPath(code),
})

const reasonOf = (code: Reason): Explained => ({
  code,
  meaning: consoleText(`statusReasons.${code}`),
  link: `${REASONS_GUIDE}#${CHAPTERS.find(([reasons]) => reasons.includes(code))?.[1] ?? OTHER_REASONS}`,
})

/** The code is repeated only where the text has others. */
function explainedText(shown: string, codes: readonly Explained[]): string {
  const meanings = codes.map(({ code, meaning, link }) => {
    const text = codes.length === 1 ? meaning : `${code}: ${meaning}`
    return html`<span class="meaning">${text} <a href="${link}" aria-label="${consoleText('codes.about', { code })}">${consoleText('codes.more')}</a></span>`
  })
  return `${shown}${meanings.join('')}`
}
