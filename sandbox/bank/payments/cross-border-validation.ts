/** What the bank demands of a payment across borders: a receiver in full, shared charges, and what authorities are told. */
import { parseMoney } from '../../../gateway/platform/money.ts'
import type { Account, BankProfile, World } from '../fixture.ts'
import { isIban } from '../national/check-digits.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { formatProblem, type RefusalMessage } from '../refusal.ts'
import type { AccountReference, PaymentOrder } from './payment-order.ts'

/** Letters that every bank on the way takes (SWIFT's set X). */
const PLAIN_LETTERS = /^[a-zA-Z0-9/\-?:().,'+ ]*$/
/** A number of a country that has no IBANs. */
const LOCAL_NUMBER = /^[A-Z0-9]{3,30}$/

type CrossBorder = NonNullable<BankProfile['crossBorder']>

/** The receiver's number without blanks, or what is wrong with how it is named. */
export function readForeignNumber(bank: BankProfile, { iban, bban }: AccountReference): string | RefusalMessage {
  const path = 'creditorAccount'
  if (iban !== undefined && bank.crossBorder?.ibanMember !== 'iban') {
    return formatProblem(path, 'The product has no member iban; write it as bban')
  }
  const number = (iban ?? bban ?? '').replaceAll(/[ -]/g, '').toUpperCase()
  if (
    iban !== undefined ||
    (bank.crossBorder?.ibanMember === 'bban' && /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,}$/.test(number))
  ) {
    return isIban(number) ? number : formatProblem(path, 'The IBAN is not valid')
  }
  return LOCAL_NUMBER.test(number) ? number : formatProblem(path, 'This is no account number')
}

/** Everything that is wrong with it besides its parties and its day. */
export function crossBorderProblems(
  { crossBorder, currency }: BankProfile,
  order: PaymentOrder,
  debtor: Account | undefined,
): readonly RefusalMessage[] {
  return crossBorder === null
    ? []
    : [
        ...receiverProblems(order),
        ...textProblems(order),
        ...amountProblems(order, debtor),
        ...chargeProblems(crossBorder, order),
        ...reportingProblems(crossBorder, currency, order),
      ]
}

/** The account of this world that has the number, whatever its bank writes it as; one in another currency takes no such money. */
export function accountAbroad(world: World, number: string, currency: string): Account | undefined {
  return world.accounts.find((account) => {
    const bank = world.banks.find(({ bic }) => bic === account.bic)
    const iban = bank === undefined ? null : rulesOf(bank).ibanOf(account.bban)
    return account.currency === currency && (iban === number || account.bban === number)
  })
}

/** Since November 2026 no bank on the way takes an address without town and country. */
function receiverProblems({ creditorName, creditorAgent, creditorAddress }: PaymentOrder): readonly RefusalMessage[] {
  const isPlaced = creditorAddress?.townName !== undefined
  return [
    ...(creditorName === undefined ? [formatProblem('creditorName', 'is missing')] : []),
    ...(creditorAgent === undefined
      ? [formatProblem('creditorAgent', 'is missing: the BIC of the bank that is paid')]
      : []),
    ...(isPlaced ? [] : [formatProblem('creditorAddress', 'must name town and country')]),
  ]
}

function textProblems({ creditorName, creditorAddress, ...order }: PaymentOrder): readonly RefusalMessage[] {
  const texts = {
    creditorName: [creditorName],
    creditorAddress: Object.values(creditorAddress ?? {}),
    remittanceInformationUnstructured: [order.remittanceInformationUnstructured],
  }
  return Object.entries(texts)
    .filter(([, told]) => told.some((text) => text !== undefined && !PLAIN_LETTERS.test(text)))
    .map(([path]) => formatProblem(path, 'The text holds characters that do not cross borders'))
}

/** Nothing is exchanged: the account holds what is paid. */
function amountProblems({ instructedAmount }: PaymentOrder, debtor: Account | undefined): readonly RefusalMessage[] {
  const path = 'instructedAmount'
  const { amount, currency } = instructedAmount
  if (debtor !== undefined && currency !== debtor.currency) {
    return [formatProblem(path, `The account holds ${debtor.currency}; the bank exchanges no money here`)]
  }
  const money = parseMoney(amount, currency)
  return money === undefined || money.minor === 0n
    ? [formatProblem(path, 'An amount is a positive number with the decimals of its currency')]
    : []
}

function chargeProblems({ chargeBearers }: CrossBorder, { chargeBearer }: PaymentOrder): readonly RefusalMessage[] {
  return chargeBearer === undefined || chargeBearers.includes(chargeBearer)
    ? []
    : [formatProblem('chargeBearer', `The bank knows ${chargeBearers.join(', ')}`)]
}

/** The bank compares amounts in its own currency only: what others are worth, its customers have to say. */
function reportingProblems(
  { reporting }: CrossBorder,
  bankCurrency: string,
  { instructedAmount, ...order }: PaymentOrder,
): readonly RefusalMessage[] {
  const { regulatoryReportingCode: code, regulatoryReportingInformation: information } = order
  const [path, wordsPath] = ['regulatoryReportingCode', 'regulatoryReportingInformation']
  if (reporting === null) {
    return code === undefined ? [] : [formatProblem(path, 'The product has no such member')]
  }
  const paid = parseMoney(instructedAmount.amount, bankCurrency)
  const above = parseMoney(reporting.above, bankCurrency)
  const isLarge =
    instructedAmount.currency === bankCurrency && paid !== undefined && above !== undefined && paid.minor > above.minor
  return [
    ...(code === undefined && isLarge
      ? [formatProblem(path, `is missing: more than ${reporting.above} is reported`)]
      : []),
    ...(code !== undefined && !new RegExp(reporting.codePattern).test(code)
      ? [formatProblem(path, 'This is no code of the authorities')]
      : []),
    ...(information !== undefined && !reporting.takesInformation
      ? [formatProblem(wordsPath, 'The product has no such member')]
      : []),
  ]
}
