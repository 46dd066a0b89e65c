/** Builds the body of a cross-border payment for a bank's product, and parses the order that the bank holds. */
import { formatMoney } from '../../../../platform/money.ts'
import type {
  CrossBorderOrder,
  ForeignAccount,
  OrderShownByBank,
  SubmittedOrder,
} from '../../../connector/bank-order.ts'
import { debtorAccountReference, matchAccountNumber } from '../accounts/account-reference.ts'
import { parseSignedMoney } from '../accounts/translate-accounts.ts'
import type { CrossBorderDialect, Dialect } from '../dialect.ts'
import type { AccountReference, PaymentDetails } from '../wire.ts'
import { addressBody, endToEndIdFor } from './order-body.ts'

/** Default field names of addresses: the standard's. */
const STANDARD_ADDRESS = {
  streetName: 'streetName',
  buildingNumber: 'buildingNumber',
  city: 'townName',
  postCode: 'postCode',
  country: 'country',
}

/** The body of a cross-border payment. Charges are shared: debtor and creditor each pay their own bank. */
export function crossBorderBody(
  order: CrossBorderOrder,
  dialect: Dialect,
  crossBorder: CrossBorderDialect,
): Record<string, unknown> {
  const { debtor, creditor, dueDate, message, debtorReference } = order
  const { currency, amount } = formatMoney(order.amount)
  const endToEndId = endToEndIdFor(order.endToEndId, crossBorder)
  const names = dialect.creditorAddress ?? STANDARD_ADDRESS
  return {
    ...(endToEndId === null ? {} : { endToEndIdentification: endToEndId }),
    debtorAccount: debtorAccountReference(debtor, dialect),
    instructedAmount: { currency, amount },
    creditorAccount: foreignReference(creditor.account, crossBorder),
    creditorName: creditor.name,
    creditorAgent: creditor.bic,
    ...clearingBody(order, crossBorder),
    ...addressBody(creditor.address, { creditorAddress: names }),
    remittanceInformationUnstructured: message,
    ...(dialect.debtorReference === null || debtorReference === null
      ? {}
      : { [dialect.debtorReference]: debtorReference }),
    ...(crossBorder.chargeBearer === null ? {} : { chargeBearer: crossBorder.chargeBearer }),
    ...reportingBody(order, crossBorder),
    requestedExecutionDate: dueDate.toString(),
  }
}

/** The content of an order at its bank. Foreign account numbers are compared without separators. */
export function toCrossBorderOrderShownByBank(
  held: PaymentDetails,
  submitted: SubmittedOrder,
  countryCode: string,
): OrderShownByBank {
  const { debtorAccount, creditorAccount, instructedAmount } = held
  const shown = creditorAccount?.iban ?? creditorAccount?.bban ?? null
  return {
    debtorBban: matchAccountNumber(debtorAccount, submitted.debtorBban, countryCode),
    creditorBban: shown === null ? null : shown.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase(),
    amount:
      instructedAmount === undefined ? null : parseSignedMoney(instructedAmount.amount, instructedAmount.currency),
  }
}

function foreignReference({ type, number }: ForeignAccount, { ibanMember }: CrossBorderDialect): AccountReference {
  return type === 'iban' && ibanMember === 'iban' ? { iban: number } : { bban: number }
}

function clearingBody({ creditor }: CrossBorderOrder, { clearingCode: member }: CrossBorderDialect) {
  return member === null || creditor.clearingCode === null ? {} : { [member]: creditor.clearingCode }
}

function reportingBody(
  { regulatoryReporting: reporting }: CrossBorderOrder,
  { regulatoryReporting: members }: CrossBorderDialect,
): Record<string, unknown> {
  if (reporting === null || members === null) {
    return {}
  }
  const { code, information } = reporting
  return {
    [members.code]: code,
    ...(members.information === null || information === null ? {} : { [members.information]: information }),
  }
}
