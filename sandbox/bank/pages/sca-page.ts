/** The SCA pages on which a user identifies, reviews the order and decides. */
import { html } from 'ghtml'
import {
  type Authorisation,
  isEnded,
  isUnconfirmed,
  messageByOutcome,
  returnUrl,
} from '../authorisations/authorisation.ts'
import { possibleSigners } from '../authorisations/identify-signer.ts'
import type { LockedAuthorisation } from '../authorisations/lock-authorisation.ts'
import { accountsOffered } from '../consents/authorise-consent.ts'
import type { Consent } from '../consents/consent.ts'
import { consentById } from '../consents/consent-store.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { accountOf, requireBankByBic, userById } from '../fixture-lookup.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { paymentsIn } from '../payments/basket-store.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentsByIds } from '../payments/payment-store.ts'
import { accountText, amountText, dateText, errorNote, page, userChoices } from './layout.ts'

/** The title once a user has signed: the rest happens in the program that asked for it. */
export const SIGNED_TITLE = 'Signed: go back to your program'

/** Of what is authorised: the heading of its page, and the button that approves it. */
export const subjectTexts = {
  payment: { heading: 'Sign a payment', approve: 'Sign payment' },
  cancellation: { heading: 'Cancel a payment', approve: 'Cancel the payment' },
  consent: { heading: 'Give access to your accounts', approve: 'Give access' },
  basket: { heading: 'Sign payments', approve: 'Sign all payments' },
} as const

/** The page for the state of an authorisation; `validationError` is the error of the previous submission. */
export async function scaPage(
  context: Context,
  shown: LockedAuthorisation,
  validationError: string | null,
): Promise<string> {
  const { authorisation } = shown
  if (isEnded(authorisation) || isUnconfirmed(authorisation)) {
    return endedPage(context, authorisation, shown.target.signedBy)
  }
  const { signer_id: signerId } = authorisation
  return signerId === null || validationError !== null
    ? identifyPage(context, shown, validationError)
    : await decisionPage(context, shown, signerId)
}

/** First page: identification. */
function identifyPage(context: Context, shown: LockedAuthorisation, validationError: string | null): string {
  const bank = requireBankByBic(context.fixture, shown.authorisation.bank)
  const content = html`<h1>Log in with ${rulesOf(bank).words.login}</h1>
<p>${subjectTexts[shown.authorisation.subject].heading}: an app asks ${bank.name} for your approval. In the sandbox you choose who you are.</p>
!${errorNote(validationError)}
<form method="post" class="card">
!${userChoices(possibleSigners(context, shown), shown.authorisation.psu_id)}
<div class="buttons"><button class="main" name="step" value="identify">Continue</button>
<button class="plain" name="decision" value="cancel">Leave without signing</button></div>
</form>`
  return page({ title: 'Log in', bankName: bank.name, content })
}

/** Second page: review and decision. */
async function decisionPage(
  context: Context,
  { authorisation, target }: LockedAuthorisation,
  signerId: string,
): Promise<string> {
  const { fixture } = context
  const bank = requireBankByBic(fixture, authorisation.bank)
  const { heading, approve } = subjectTexts[authorisation.subject]
  const named = authorisation.psu_id
  const forOther =
    named !== null && named !== signerId
      ? html`<p class="note">The request was placed for ${userById(fixture, named)?.name ?? 'somebody else'}. You sign it in your own name.</p>`
      : ''
  const content = html`<h1>${heading}</h1>
<p class="quiet">Logged in as ${userById(fixture, signerId)?.name ?? signerId}</p>
!${forOther}
!${signedByNote(context, target.signedBy, 'Your signature is needed, too.')}
!${await subjectCard(context, authorisation, signerId)}
<form method="post">
<input type="hidden" name="signer" value="${signerId}">
<div class="buttons"><button class="main" name="decision" value="approve">${approve}</button>
<button class="stop" name="decision" value="reject">Reject</button>
<button class="plain" name="decision" value="cancel">Leave without signing</button></div>
</form>`
  return page({ title: heading, bankName: bank.name, content })
}

/** The page of an authorisation that has ended or awaits confirmation; `signedBy` if its target needs further signatures. */
function endedPage(context: Context, authorisation: Authorisation, signedBy: ReadonlySet<string | null>): string {
  const bank = requireBankByBic(context.fixture, authorisation.bank)
  const { outcome } = authorisation
  const isSigned = outcome === 'approved' || outcome === null
  const title = isSigned ? SIGNED_TITLE : 'This authorisation has ended'
  const text = outcome === null ? 'The program you came from must complete this' : messageByOutcome[outcome]
  const content = html`<h1>${title}</h1>
!${returnLink(authorisation)}
<p class="note ${isSigned ? 'good' : 'stop'}" role="status">${text}.</p>
!${isSigned ? signedByNote(context, signedBy, 'Another signature is needed.') : ''}
!${authorisation.approach === 'app' ? html`<p><a href="/app">Other orders in this app</a></p>` : ''}`
  return page({ title, bankName: bank.name, content })
}

/** Who has signed what needs further signatures, and what follows. */
function signedByNote({ fixture }: Context, signedBy: ReadonlySet<string | null>, next: string): string {
  const names = [...signedBy].map((id) => (id === null ? undefined : userById(fixture, id)?.name) ?? 'somebody else')
  return names.length === 0
    ? ''
    : html`<p class="note">${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} signed. ${next}</p>`
}

/** A browser is redirected back; the decoupled approach has no redirect. */
function returnLink(authorisation: Authorisation): string {
  const address = returnUrl(authorisation)
  return authorisation.approach === 'app' || address === null
    ? html`<p>Go back to where you started this.</p>`
    : html`<p class="buttons"><a class="main" href="${address}" rel="noreferrer">Go back to your program</a></p>`
}

/** The details of the order, which the user must see before authorising it. */
async function subjectCard(context: Context, authorisation: Authorisation, signerId: string): Promise<string> {
  const consent = await consentToGive(context, authorisation)
  if (consent !== undefined) {
    return consentCard(context, consent, signerId)
  }
  const payments = await paymentsToSign(context, authorisation)
  const cards = payments.map((payment) => paymentCard(context, payment))
  return [...(authorisation.subject === 'basket' ? [totalOf(payments)] : []), ...cards].join('')
}

function totalOf(payments: readonly Payment[]): string {
  const byCurrency = Map.groupBy(payments, ({ currency }) => currency)
  const totals = [...byCurrency].map(([currency, those]) =>
    amountText({ minor: those.reduce((sum, { amount_minor }) => sum + amount_minor, 0n), currency }),
  )
  return html`<p>${String(payments.length)} payments, <strong>${totals.join(' and ')}</strong> in all</p>`
}

function paymentCard({ fixture }: Context, payment: Payment): string {
  const bank = requireBankByBic(fixture, payment.bank)
  const debtor = accountOf(fixture, payment.bank, payment.debtor)
  const from = debtor === undefined ? '' : `${debtor.ownerName}, ${debtor.name}`
  return html`<div class="card"><p class="amount">${amountText({ minor: payment.amount_minor, currency: payment.currency })}</p>
<dl>
!${receiverRow(bank, payment)}
<dt>From</dt><dd>${from}<br><span class="code">${accountText(bank, payment.debtor)}</span></dd>
<dt>Date</dt><dd>${dateText(payment.execution_on)}</dd>
!${payment.message === null ? '' : html`<dt>Message</dt><dd>${payment.message}</dd>`}
!${payment.reference === null ? '' : html`<dt>${rulesOf(bank).words.reference}</dt><dd class="code">${payment.reference}</dd>`}
</dl></div>`
}

/** No payee of a bulk is shown: the approver of a payroll need not see the employees. */
function receiverRow(bank: BankProfile, payment: Payment): string {
  return isBulk(payment)
    ? html`<dt>Payments</dt><dd><strong>${payment.creditor_name}</strong></dd>`
    : html`<dt>To</dt><dd><strong>${payment.creditor_name}</strong><br><span class="code">${accountText(bank, payment.creditor)}</span></dd>`
}

function consentCard({ fixture }: Context, consent: Consent, signerId: string): string {
  const bank = requireBankByBic(fixture, consent.bank)
  const accounts = accountsOffered(fixture, consent, signerId).map(({ bban, balances, transactions }) => {
    const account = accountOf(fixture, consent.bank, bban)
    const rights = ['name and number', ...(balances ? ['balance'] : []), ...(transactions ? ['transactions'] : [])]
    return html`<li><strong>${account?.ownerName ?? ''}</strong>, ${account?.name ?? ''} <span class="code">${accountText(bank, bban)}</span><br><span class="quiet">${rights.join(', ')}</span></li>`
  })
  const often = consent.recurring ? `up to ${consent.frequency_per_day} times a day without you` : 'once'
  return html`<div class="card"><p>The app will be able to read these accounts ${often}, until <strong>${dateText(consent.valid_until)}</strong>. It can submit payments; you sign each of them.</p>
<ul class="list">!${accounts.join('')}</ul></div>`
}

/** The payments to sign or to cancel; none of a consent. */
export async function paymentsToSign(
  context: Context,
  { subject, resource_id: id }: Authorisation,
): Promise<readonly Payment[]> {
  return subject === 'basket' ? await paymentsIn(context, id) : await paymentsByIds(context, [id])
}

async function consentToGive(
  context: Context,
  { subject, bank, resource_id: id }: Authorisation,
): Promise<Consent | undefined> {
  return subject === 'consent' ? await consentById(context, bank, id) : undefined
}
