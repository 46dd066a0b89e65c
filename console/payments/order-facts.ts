/** The facts of a payment: who receives what and with which message or reference, its state, and the rest of the order. */
import { html } from 'ghtml'
import type { RemittanceInformation } from '../../contract/payments/remittance.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { formatOrganisationNumber } from '../../gateway/countries/served-countries.ts'
import { isOutcomeUnknown, type PartnerPayment } from '../../gateway/orders/payment.ts'
import { printedFormOf } from '../../gateway/payments/payment-summary.ts'
import { renderListedPayment } from '../../gateway/payments/read-payments.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import type { Facts } from '../markup/data-table.ts'
import { bankTextMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { orderedAmount } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

/** What those who ask about a payment know of it. */
export function receiverFacts(payment: PartnerPayment): Facts {
  const { to } = payment.ordered
  return {
    'payment.creditor': html`<strong>${to.contactInformation.name}</strong>`,
    'payment.creditorAccount': html`${printedCreditorAccount(payment)}`,
    'payments.amount': html`<strong>${orderedAmount(renderListedPayment(payment).amount)}</strong>`,
    ...remittanceFacts(payment),
  }
}

/** What the reference is called where the payment is made. */
const REFERENCES: Readonly<Record<string, keyof Facts | undefined>> = {
  NO: 'payment.kid',
  SE: 'payment.ocr',
  FI: 'payment.viitenumero',
}

function remittanceFacts({ type, ordered, countryCode }: PartnerPayment): Facts {
  if (type === 'CrossBorder') {
    return { 'payment.message': html`${ordered.remittanceInformation.message}` }
  }
  const { remittanceInformation: remittance } = ordered
  switch (remittance?.type) {
    case undefined:
      return {}
    case 'message':
      return { 'payment.message': html`${remittance.value}` }
    case 'ocr':
      return { [REFERENCES[countryCode] ?? 'payment.reference']: html`<code>${remittance.value}</code>` }
    case 'fik':
      return fikFacts(remittance)
  }
}

/** The line as it is printed on the form, and the message of those kinds that have one. */
function fikFacts(fik: Extract<RemittanceInformation, { readonly type: 'fik' }>): Facts {
  return {
    'payment.fik': html`<code>${printedFormOf(fik)}</code>`,
    'payment.message': 'message' in fik ? html`${fik.message ?? ''}` : undefined,
  }
}

export function statusFacts(payment: PartnerPayment): Facts {
  const { status, statusReason, statusReasonText, bankStatus, statusAt, expiredAt } = payment
  return {
    'payments.status': statusMarkup(status),
    'payment.reason': reasonMarkup(statusReason),
    'payment.bankText': bankTextMarkup(statusReasonText),
    'payment.bankStatus': bankTextMarkup(bankStatus),
    'payment.outcome': isOutcomeUnknown(payment) ? html`${consoleText('payment.outcomeUnknown')}` : undefined,
    'payment.expired': expiredAt && html`!${timeMarkup(expiredAt)} ${consoleText('payment.resubmitted')}`,
    'payments.dueDate': html`${formatDay(payment.dueDate)}`,
    'payments.created': timeMarkup(payment.createdAt),
    'payment.readAt': timeMarkup(statusAt),
  }
}

export function orderFacts(
  payment: PartnerPayment,
  names: { readonly partnerName: string; readonly bankName: string; readonly viewer: Viewer },
): Facts {
  const { from, remittanceInformation } = payment.ordered
  const isOperator = isPermitted(names.viewer.session.roles, 'operations.read')
  const linked = (path: string, text: string) => (isOperator ? html`<a href="${path}">${text}</a>` : html`${text}`)
  const own = remittanceInformation !== undefined && 'debtorReference' in remittanceInformation
  return {
    'payment.debtor': html`${from.contactInformation.name}, ${formatAccountNumber(payment.countryCode, payment.debtorBban)}`,
    'payment.ownReference': own ? html`${remittanceInformation.debtorReference ?? ''}` : undefined,
    'payment.company': html`${formatOrganisationNumber(payment.countryCode, payment.organisationNumber)}`,
    'payment.bank': linked(`/console/banks/${payment.bic}`, `${names.bankName} (${payment.bic})`),
    'payments.partner': linked(`/console/partners/${payment.partnerId}`, names.partnerName),
    'payment.type': html`${payment.type}`,
    'payments.endToEndId': copyableCode(payment.endToEndId, consoleText('payments.endToEndId')),
    'payment.id': copyableCode(payment.id, consoleText('payment.id')),
    'payment.bankId': payment.bankPaymentId && copyableCode(payment.bankPaymentId, consoleText('payment.bankId')),
    'payment.requestId': idMarkup(payment.bankRequestId),
  }
}

/** As the country of the payment prints it; an account abroad may only be an IBAN. */
function printedCreditorAccount({ type, ordered, countryCode }: PartnerPayment): string {
  const { bban, iban }: { readonly bban?: string; readonly iban?: string } = ordered.to.account
  return formatAccountNumber(type === 'CrossBorder' ? '' : countryCode, bban ?? iban ?? '')
}
