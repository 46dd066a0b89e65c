/** Validates a cross-border payment: creditor details, shared charges and regulatory reporting. */
import { parseMoney } from '../../../../gateway/platform/money.ts'
import type { Account, BankFixture, BankProfile } from '../../fixture.ts'
import { isIban } from '../../national/check-digits.ts'
import { rulesOf } from '../../national/rules-by-country.ts'
import { errorUnless, formatErrorMessage, type Xs2aErrorMessage } from '../../xs2a-error.ts'
import type { TransactionOrder } from './parse-order.ts'
import type { AccountReference } from './payment-order.ts'

/** Characters that every intermediary bank accepts (SWIFT's set X). */
const PLAIN_LETTERS = /^[a-zA-Z0-9/\-?:().,'+ ]*$/
/** An account number in a country without IBANs. */
const LOCAL_NUMBER = /^[A-Z0-9]{3,30}$/

type CrossBorder = NonNullable<BankProfile['crossBorder']>

/** The creditor's number without blanks, or the error in its reference. */
export function parseForeignAccountNumber(
  bank: BankProfile,
  { iban, bban }: AccountReference,
): string | Xs2aErrorMessage {
  const path = 'creditorAccount'
  if (iban !== undefined && bank.crossBorder?.ibanMember !== 'iban') {
    return formatErrorMessage(path, 'The product has no field iban; send it as bban')
  }
  const number = (iban ?? bban ?? '').replaceAll(/[ -]/g, '').toUpperCase()
  if (
    iban !== undefined ||
    (bank.crossBorder?.ibanMember === 'bban' && /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,}$/.test(number))
  ) {
    return isIban(number) ? number : formatErrorMessage(path, 'The IBAN is not valid')
  }
  return LOCAL_NUMBER.test(number) ? number : formatErrorMessage(path, 'This is not an account number')
}

/** All validation errors except those of the parties and the day. */
export function validateCrossBorderOrder(
  { crossBorder, currency }: BankProfile,
  order: TransactionOrder,
  debtor: Account | undefined,
): readonly Xs2aErrorMessage[] {
  return crossBorder === null
    ? []
    : [
        ...creditorErrors(order),
        ...textErrors(order),
        ...amountErrors(order, debtor),
        ...chargeErrors(crossBorder, order),
        ...reportingErrors(crossBorder, currency, order),
      ]
}

/**
 * The fixture account with this number at any bank; undefined when its currency differs, as no currency is exchanged.
 */
export function findCrossBorderAccount(fixture: BankFixture, number: string, currency: string): Account | undefined {
  return fixture.accounts.find((account) => {
    const bank = fixture.banks.find(({ bic }) => bic === account.bic)
    const iban = bank === undefined ? null : rulesOf(bank).ibanOf(account.bban)
    return account.currency === currency && (iban === number || account.bban === number)
  })
}

/** Since November 2026 banks reject an address without town and country. */
function creditorErrors({
  creditorName,
  creditorAgent,
  creditorAddress,
}: TransactionOrder): readonly Xs2aErrorMessage[] {
  const isPlaced = Boolean(creditorAddress?.townName?.trim())
  return [
    ...errorUnless(creditorName !== undefined, 'creditorName', 'is missing'),
    ...errorUnless(creditorAgent !== undefined, 'creditorAgent', 'is missing: the BIC of the bank that is paid'),
    ...errorUnless(isPlaced, 'creditorAddress', 'must have town and country'),
  ]
}

function textErrors({ creditorName, creditorAddress, ...order }: TransactionOrder): readonly Xs2aErrorMessage[] {
  const texts = {
    creditorName: [creditorName],
    creditorAddress: Object.values(creditorAddress ?? {}),
    remittanceInformationUnstructured: [order.remittanceInformationUnstructured],
  }
  return Object.entries(texts)
    .filter(([, reported]) => reported.some((text) => text !== undefined && !PLAIN_LETTERS.test(text)))
    .map(([path]) => formatErrorMessage(path, 'The text has characters that cross-border payments do not support'))
}

/** No currency is exchanged: the account must be in the payment's currency. */
function amountErrors(
  { instructedAmount }: TransactionOrder,
  debtor: Account | undefined,
): readonly Xs2aErrorMessage[] {
  const path = 'instructedAmount'
  const { amount, currency } = instructedAmount
  if (debtor !== undefined && currency !== debtor.currency) {
    return [formatErrorMessage(path, `The account holds ${debtor.currency}; the bank does not exchange currencies`)]
  }
  const money = parseMoney(amount, currency)
  const isPositive = money !== undefined && money.minor > 0n
  return errorUnless(isPositive, path, 'An amount is a positive number with the decimals of its currency')
}

function chargeErrors({ chargeBearers }: CrossBorder, { chargeBearer }: TransactionOrder): readonly Xs2aErrorMessage[] {
  const isKnown = chargeBearer === undefined || chargeBearers.includes(chargeBearer)
  return errorUnless(isKnown, 'chargeBearer', `must be one of ${chargeBearers.join(', ')}`)
}

/** The bank compares amounts in its own currency only: for others the customer must supply the value. */
function reportingErrors(
  { reporting }: CrossBorder,
  bankCurrency: string,
  { instructedAmount, ...order }: TransactionOrder,
): readonly Xs2aErrorMessage[] {
  const { regulatoryReportingCode: code, regulatoryReportingInformation: information } = order
  const [path, wordsPath] = ['regulatoryReportingCode', 'regulatoryReportingInformation']
  if (reporting === null) {
    return errorUnless(code === undefined, path, 'The product has no such field')
  }
  const codeForm = new RegExp(reporting.codePattern)
  const paid = parseMoney(instructedAmount.amount, bankCurrency)
  const above = parseMoney(reporting.above, bankCurrency)
  const isLarge =
    instructedAmount.currency === bankCurrency && paid !== undefined && above !== undefined && paid.minor > above.minor
  return [
    ...errorUnless(code !== undefined || !isLarge, path, `is missing: more than ${reporting.above} is reported`),
    ...errorUnless(code === undefined || codeForm.test(code), path, 'This is not a reporting code'),
    ...errorUnless(information === undefined || reporting.takesInformation, wordsPath, 'The product has no such field'),
  ]
}
