/** The business rules on a cross-border payment by the part that each is about; shapes are the contract's concern. */
import type { CrossBorderPayment } from '../../../contract/cross-border-payment.ts'
import type { Problem } from '../../foundation/http/refusal.ts'
import { isSound } from '../../foundation/http/validation.ts'
import { checkDueDate } from '../due-date-rules.ts'
import type { Finding, Situation } from '../order-situation.ts'
import { checkSenderNumber } from '../sender-company-rule.ts'
import { checkAmount, checkAmountCurrency, checkSenderCurrency } from './cross-border-amounts.ts'
import { destinationFindings } from './cross-border-destination.ts'
import { checkSenderAccount, checkSenderBic } from './cross-border-sender.ts'
import {
  checkAddressText,
  checkDebtorReference,
  checkEndToEndId,
  checkMessage,
  checkName,
} from './cross-border-texts.ts'

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
