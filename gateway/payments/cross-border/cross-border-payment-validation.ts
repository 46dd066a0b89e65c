/** The business rules on a cross-border payment by the part that each is about; shapes are the contract's concern. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { checkDueDate } from '../../orders/instructions/due-date-validation.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'
import { isSound } from '../../platform/http/validation/schema-validation.ts'
import { checkSenderNumber } from '../domestic/debtor-company-validation.ts'
import { checkAmount, checkAmountCurrency, checkSenderCurrency } from './cross-border-amount-validation.ts'
import { checkSenderAccount, checkSenderBic } from './cross-border-debtor-validation.ts'
import { destinationFindings } from './cross-border-destination-validation.ts'
import {
  checkAddressText,
  checkDebtorReference,
  checkEndToEndId,
  checkMessage,
  checkName,
} from './cross-border-text-validation.ts'

type Rule = (order: CrossBorderPayment, situation: Situation) => Finding

/** Every problem that the rules find; a part that is not sound is left to its schema. Money and its authorities are asked apart. */
export function crossBorderProblems(
  order: CrossBorderPayment,
  situation: Situation,
  isSoundAt: (path: string) => boolean,
): readonly Problem[] {
  const found = rulesByPath.flatMap(([path, rule]) => {
    const finding = isSoundAt(path) ? rule(order, situation) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
  const isWhole = ['.to', '.amount', '.from.currency', '.remittanceInformation'].every(isSoundAt)
  const elsewhere = isWhole ? destinationFindings(order) : []
  // What the countries say of a part that a rule has refused already would be said twice.
  return [...found, ...elsewhere.filter(({ path }) => isSound(path, found))]
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  ['.from.account.bic', checkSenderBic],
  ['.from.account.bban', checkSenderAccount],
  ['.from.contactInformation.name', (order, { bank }) => checkName(order, bank, order.from.contactInformation.name)],
  ...addressRules('from'),
  ['.from.currency', checkSenderCurrency],
  ['.from.organizationNumber', checkSenderNumber],
  ['.to.contactInformation.name', (order, { bank }) => checkName(order, bank, order.to.contactInformation.name)],
  ...addressRules('to'),
  ['.amount.currency', checkAmountCurrency],
  ['.amount', checkAmount],
  ['.dueDate', checkDueDate],
  ['.remittanceInformation', checkMessage],
  ['.remittanceInformation.debtorReference', checkDebtorReference],
]

function addressRules(side: 'from' | 'to'): readonly (readonly [path: string, rule: Rule])[] {
  const members = ['streetName', 'buildingNumber', 'postCode', 'city', 'country'] as const
  return members.map((member) => {
    const rule: Rule = (order) => checkAddressText(order, side, member)
    return [`.${side}.contactInformation.address.${member}`, rule] as const
  })
}
