/** The pages on which a user identifies, sees what is asked, and decides. */
import { html } from 'ghtml'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { isEnded, isUnconfirmed, messageByOutcome, returnAddress } from '../authorisations/authorisation.ts'
import { possibleSigners } from '../authorisations/identify-signer.ts'
import type { LockedAuthorisation } from '../authorisations/lock-sca-target.ts'
import type { BankContext } from '../bank-context.ts'
import { isBulk } from '../bulks/bulk-transaction.ts'
import { accountsOffered } from '../consents/authorise-consent.ts'
import type { Consent } from '../consents/consent.ts'
import type { BankProfile } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import type { Payment } from '../payments/payment.ts'
import { accountOf, bankOfRow, userById } from '../world.ts'
import { accountText, amountText, dateText } from './format-values.ts'
import { page } from './layout.ts'

export const headings = {
  payment: 'Sign a payment',
  cancellation: 'Cancel a payment',
  consent: 'Give access to your accounts',
  basket: 'Sign payments',
} as const

const approveLabels = {
  payment: 'Sign payment',
  cancellation: 'Cancel the payment',
  consent: 'Give access',
  basket: 'Sign all payments',
} as const

/** The page that fits where an authorisation stands; `problem` says why the last answer would not do. */
export function signingPage(context: BankContext, shown: LockedAuthorisation, problem: string | null): string {
  const { authorisation } = shown
  if (isEnded(authorisation) || isUnconfirmed(authorisation)) {
    return endedPage(context, authorisation)
  }
  const { signer_id: signerId } = authorisation
  return signerId === null || problem !== null
    ? identifyPage(context, shown, problem)
    : decisionPage(context, shown, signerId)
}

/** The first page: who are you? */
function identifyPage(context: BankContext, shown: LockedAuthorisation, problem: string | null): string {
  const bank = bankOfRow(context.world, shown.authorisation.bank)
  const named = shown.authorisation.psu_id
  const signers = possibleSigners(context, shown)
  const choices = signers.map(
    (
      user,
      index,
    ) => html`<label class="choice"><input type="radio" name="userId" value="${user.id}" ${index === 0 ? 'checked' : ''}>
<span><strong>${user.name}</strong><span class="quiet">${user.id.replace(/^(\d{6}|\d{8})(?=\d{4,5}$)/, '$1 ')}${user.id === named ? ' – named by the app' : ''}</span></span></label>`,
  )
  const content = html`<h1>Log in with ${rulesOf(bank).words.login}</h1>
<p>${headings[shown.subject]}: an app asks ${bank.name} for your approval. In the sandbox you choose who you are.</p>
!${problem === null ? '' : html`<p class="note stop" role="alert">${problem}</p>`}
<form method="post" class="card">
<fieldset><legend>Who are you?</legend>
!${choices.join('')}
</fieldset>
<div class="buttons"><button class="main" name="step" value="identify">Continue</button>
<button class="plain" name="decision" value="cancel">Leave without signing</button></div>
</form>`
  return page({ title: 'Log in', bankName: bank.name, content })
}

/** The second page: this is what you sign. */
function decisionPage(context: BankContext, shown: LockedAuthorisation, signerId: string): string {
  const { world } = context
  const bank = bankOfRow(world, shown.authorisation.bank)
  const named = shown.authorisation.psu_id
  const forOther =
    named !== null && named !== signerId
      ? html`<p class="note">The request was placed for ${userById(world, named)?.name ?? 'somebody else'}. You sign it in your own name.</p>`
      : ''
  const content = html`<h1>${headings[shown.subject]}</h1>
<p class="quiet">Logged in as ${userById(world, signerId)?.name ?? signerId}</p>
!${forOther}
!${cardOf(context, shown, signerId)}
<form method="post">
<div class="buttons"><button class="main" name="decision" value="approve">${approveLabels[shown.subject]}</button>
<button class="stop" name="decision" value="reject">Reject</button>
<button class="plain" name="decision" value="cancel">Leave without signing</button></div>
</form>`
  return page({ title: headings[shown.subject], bankName: bank.name, content })
}

/** What a link shows once its authorisation has ended, or waits for nothing but the third party. */
export function endedPage(context: BankContext, authorisation: Authorisation): string {
  const bank = bankOfRow(context.world, authorisation.bank)
  const { outcome } = authorisation
  const title = isUnconfirmed(authorisation) ? 'You have signed' : 'This signing is over'
  const text = outcome === null ? 'The app you came from has yet to finish this' : messageByOutcome[outcome]
  const content = html`<h1>${title}</h1>
<p class="note ${outcome === 'approved' || outcome === null ? 'good' : 'stop'}" role="status">${text}.</p>
!${wayOut(authorisation)}`
  return page({ title, bankName: bank.name, content })
}

/** Whoever came by a browser goes back with it; whoever signed in an app put another screen aside. */
function wayOut(authorisation: Authorisation): string {
  const address = returnAddress(authorisation)
  return authorisation.approach === 'app' || address === null
    ? html`<p>Go back to where you started this.</p><p><a href="/app">Other orders in this app</a></p>`
    : html`<p><a href="${address}" rel="noreferrer">Back to the app you came from</a></p>`
}

/** What is signed, so that nobody signs what they have not seen. */
function cardOf(context: BankContext, shown: LockedAuthorisation, signerId: string): string {
  switch (shown.subject) {
    case 'consent':
      return consentCard(context, shown.target, signerId)
    case 'basket':
      return [totalOf(shown.payments), ...shown.payments.map((payment) => paymentCard(context, payment))].join('')
    default:
      return paymentCard(context, shown.target)
  }
}

function totalOf(payments: readonly Payment[]): string {
  const byCurrency = Map.groupBy(payments, ({ currency }) => currency)
  const totals = [...byCurrency].map(([currency, those]) =>
    amountText({ minor: those.reduce((sum, { amount_minor }) => sum + amount_minor, 0n), currency }),
  )
  return html`<p>${String(payments.length)} payments, <strong>${totals.join(' and ')}</strong> in all</p>`
}

function paymentCard({ world }: BankContext, payment: Payment): string {
  const bank = bankOfRow(world, payment.bank)
  const debtor = accountOf(world, payment.bank, payment.debtor)
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

/** Of a bulk nobody is named: whoever signs salaries need not read whose they are. */
function receiverRow(bank: BankProfile, payment: Payment): string {
  return isBulk(payment)
    ? html`<dt>Payments</dt><dd><strong>${payment.creditor_name}</strong></dd>`
    : html`<dt>To</dt><dd><strong>${payment.creditor_name}</strong><br><span class="code">${accountText(bank, payment.creditor)}</span></dd>`
}

function consentCard({ world }: BankContext, consent: Consent, signerId: string): string {
  const bank = bankOfRow(world, consent.bank)
  const accounts = accountsOffered(world, consent, signerId).map(({ bban, balances, transactions }) => {
    const account = accountOf(world, consent.bank, bban)
    const rights = ['name and number', ...(balances ? ['balance'] : []), ...(transactions ? ['transactions'] : [])]
    return html`<li><strong>${account?.ownerName ?? ''}</strong>, ${account?.name ?? ''} <span class="code">${accountText(bank, bban)}</span><br><span class="quiet">${rights.join(', ')}</span></li>`
  })
  const often = consent.recurring ? `up to ${consent.frequency_per_day} times a day without you` : 'once'
  return html`<div class="card"><p>The app will be able to read these accounts ${often}, until <strong>${dateText(consent.valid_until)}</strong>. It can propose payments; each one is signed by you.</p>
<ul class="list">!${accounts.join('')}</ul></div>`
}
