/** The business rules on a domestic payment by the part that each is about; shapes are the contract's concern. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { checkDueDate } from '../../orders/instructions/due-date-validation.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'
import { checkAddressCountry, checkAddressMember, checkEndToEndId, checkName } from '../text-rules.ts'
import { checkReceiverAccount, checkSenderAccount } from './account-validation.ts'
import { checkAmount, checkCurrency, checkSenderCurrency } from './amount-validation.ts'
import { checkSenderNumber } from './debtor-company-validation.ts'
import { type OrderLimits, orderLimitsOf } from './order-limits.ts'
import { checkRemittance, checkTextsBeside } from './remittance-validation.ts'

type IsSound = (path: string) => boolean
/** What a rule is told: `limits` are those of the way in which the order would travel. */
type Judged = Situation & { readonly limits: OrderLimits }
type Rule = (order: DomesticPayment, judged: Judged) => Finding

/** Every problem that the rules find; a part that is not sound is left to its schema. */
export function domesticPaymentProblems(
  order: DomesticPayment,
  situation: Situation,
  isSound: IsSound,
): readonly Problem[] {
  const read = readable(order, isSound)
  const judged = { ...situation, limits: orderLimitsOf(read, situation.bank, isSound) }
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(read, judged) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  ['.from.account.bban', checkSenderAccount],
  [
    '.from.contactInformation.name',
    ({ from }, { bank }) => checkName(bank, from.contactInformation.name, 'Sender', null),
  ],
  ...addressRules('from'),
  ['.from.currency', (order, { bank }) => checkSenderCurrency(order, bank)],
  ['.from.organizationNumber', checkSenderNumber],
  ['.to.account.bban', checkReceiverAccount],
  [
    '.to.contactInformation.name',
    ({ to }, { bank, limits }) => checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  ...addressRules('to'),
  ['.amount.currency', (order, { bank }) => checkCurrency(order, bank)],
  ['.amount.amount', (order, { bank, limits }) => checkAmount(order, bank, limits)],
  ['.dueDate', checkDueDate],
  ['.remittanceInformation', (order, { bank, limits }) => checkRemittance(order.remittanceInformation, bank, limits)],
  ['.remittanceInformation', (order, { bank, limits }) => checkTextsBeside(order.remittanceInformation, bank, limits)],
]

function addressRules(side: 'from' | 'to'): readonly (readonly [path: string, rule: Rule])[] {
  const path = `.${side}.contactInformation.address`
  const members = ['streetName', 'buildingNumber', 'postCode', 'city'] as const
  return [
    ...members.map((member) => {
      const rule: Rule = (order, { bank }) =>
        checkAddressMember(bank, side, member, order[side].contactInformation.address?.[member])
      return [`${path}.${member}`, rule] as const
    }),
    [`${path}.country`, (order) => checkAddressCountry(order[side].contactInformation.address?.country)],
  ]
}

/** The order without remittance that is not sound, so that rules on other parts may look at it. */
function readable(order: DomesticPayment, isSound: IsSound): DomesticPayment {
  const { remittanceInformation: _remittance, ...rest } = { ...order }
  return isSound('.remittanceInformation') ? order : rest
}
