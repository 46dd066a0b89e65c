/** Builds the body of a cross-border payment for a bank's product, and parses the order that the bank holds. */
import { formatMoney } from '../../../../platform/money.ts'
import type {
  CrossBorderOrder,
  ForeignAccount,
  OrderShownByBank,
  SubmittedOrder,
} from '../../../connector/bank-order.ts'
import { endToEndIdFor } from '../../../connector/shorten-end-to-end-id.ts'
import { debtorAccountReference } from '../accounts/account-reference.ts'
import type { CrossBorderDialect, Dialect } from '../dialect.ts'
import type { AccountReference, PaymentDetails } from '../wire.ts'
import { addressBody, toOrderShownByBank } from './order-body.ts'

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
  const { debtor, creditor, dueDate, message, debtorReference, regulatoryReporting: reporting } = order
  const { debtorReference: referenceMember } = dialect
  const { clearingCode: clearingMember, regulatoryReporting: members } = crossBorder
  const endToEndId = endToEndIdFor(order.endToEndId, crossBorder)
  const { currency, amount } = formatMoney(order.amount)
  return {
    ...(endToEndId !== null && { endToEndIdentification: endToEndId }),
    debtorAccount: debtorAccountReference(debtor, dialect),
    instructedAmount: { currency, amount },
    creditorAccount: foreignReference(creditor.account, crossBorder),
    creditorName: creditor.name,
    creditorAgent: creditor.bic,
    ...(clearingMember && creditor.clearingCode && { [clearingMember]: creditor.clearingCode }),
    creditorAddress: addressBody(creditor.address, dialect.creditorAddress ?? STANDARD_ADDRESS),
    remittanceInformationUnstructured: message,
    ...(referenceMember !== null && debtorReference !== null && { [referenceMember]: debtorReference }),
    ...(crossBorder.chargeBearer && { chargeBearer: crossBorder.chargeBearer }),
    ...(members && reporting && { [members.code]: reporting.code }),
    ...(members?.information && reporting?.information != null && { [members.information]: reporting.information }),
    requestedExecutionDate: dueDate.toString(),
  }
}

/** The content of an order at its bank. Foreign account numbers are compared without separators. */
export function toCrossBorderOrderShownByBank(
  held: PaymentDetails,
  submitted: SubmittedOrder,
  countryCode: string,
): OrderShownByBank {
  const shown = held.creditorAccount?.iban ?? held.creditorAccount?.bban
  return {
    ...toOrderShownByBank(held, submitted, countryCode),
    creditorBban: shown?.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase() ?? null,
  }
}

function foreignReference({ type, number }: ForeignAccount, { ibanMember }: CrossBorderDialect): AccountReference {
  return type === 'iban' && ibanMember === 'iban' ? { iban: number } : { bban: number }
}
