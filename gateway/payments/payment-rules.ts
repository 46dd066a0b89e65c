/** The business rules on a domestic payment, one function per matter; shapes are the contract's concern. */

import type { DomesticPayment } from '../../contract/domestic-payment.ts'
import type { ValidationCode } from '../../contract/failures.ts'
import type { Bank } from '../banks/bank.ts'
import { checkAccountNumber } from '../countries/account-number.ts'
import { firstStrangeCharacter, tellStrangeCharacter } from '../countries/characters.ts'
import { countryRules } from '../countries/country-rules.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { checkReference } from '../countries/structured-reference.ts'
import type { Problem } from '../foundation/http/refusal.ts'
import { parseMoney, scaleOf } from '../foundation/money.ts'

type IsSound = (path: string) => boolean
/** What a payment is judged by besides itself. */
export type Situation = {
  readonly bank: Bank
  /** The bank's present day. */
  readonly today: Temporal.PlainDate
  /** Of the company that the consent is for. */
  readonly organisationNumber: string
}
type Rule = (order: DomesticPayment, situation: Situation) => Finding
/** What a rule finds: nothing, or a code with its reason. */
type Finding = { readonly code: ValidationCode; readonly reason: string } | undefined

/** Every problem that the rules find; a part that is not sound is left to its schema. */
export function domesticPaymentProblems(
  order: DomesticPayment,
  situation: Situation,
  isSound: IsSound,
): readonly Problem[] {
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(order, situation) : undefined
    return finding === undefined ? [] : [{ ...finding, path }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', (order, { bank }) => checkText(bank, order.metadata.endToEndId)],
  ['.from.account.bban', checkSenderAccount],
  ['.from.contactInformation.name', (order, { bank }) => checkName(bank, order.from.contactInformation.name, 'Sender')],
  ['.from.currency', checkSenderCurrency],
  ['.from.organizationNumber', checkSenderNumber],
  ['.to.account.bban', checkReceiverAccount],
  ['.to.contactInformation.name', (order, { bank }) => checkName(bank, order.to.contactInformation.name, 'Recipient')],
  ['.amount.currency', checkCurrency],
  ['.amount.amount', checkAmount],
  ['.dueDate', checkDueDate],
  ['.remittanceInformation', checkRemittance],
]

function checkSenderAccount({ from }: DomesticPayment, { bank: { countryCode } }: Situation): Finding {
  const checked = checkAccountNumber(countryCode, from.account.bban)
  return checked.ok ? undefined : { code: 'InvalidBBAN', reason: `The account number ${checked.reason}` }
}

function checkReceiverAccount({ from, to }: DomesticPayment, { bank: { countryCode } }: Situation): Finding {
  const checked = checkAccountNumber(countryCode, to.account.bban)
  if (!checked.ok) {
    return { code: 'InvalidAccountNumber', reason: `The account number ${checked.reason}` }
  }
  const sender = checkAccountNumber(countryCode, String(from?.account?.bban ?? ''))
  return sender.ok && sender.bban === checked.bban
    ? { code: 'InvalidAccountNumber', reason: 'The account number is the sender’s own' }
    : undefined
}

function checkName(bank: Bank, name: string, whose: 'Sender' | 'Recipient'): Finding {
  const max = bank.profile.constraints.maxInformationFieldLength
  const length = [...name].length
  if (length > max) {
    return { code: `${whose}NameTooLong`, reason: `has ${length} characters; ${bank.name} takes ${max}` }
  }
  return checkText(bank, name)
}

function checkText({ profile }: Bank, text: string): Finding {
  const strange = firstStrangeCharacter(text, profile.constraints.validInformationFieldCharactersPattern)
  return strange === undefined ? undefined : { code: 'InvalidCharacters', reason: tellStrangeCharacter(strange) }
}

function checkSenderCurrency({ from }: DomesticPayment, { bank: { countryCode } }: Situation): Finding {
  const domestic = countryRules(countryCode)?.currency
  return from.currency === domestic
    ? undefined
    : {
        code: 'InvalidRequest',
        reason: `must be ${domestic}; accounts in other currencies pay by a cross-border payment`,
      }
}

/** Partners may leave it out; one that is there must not speak of somebody else. */
function checkSenderNumber({ from }: DomesticPayment, { bank, organisationNumber }: Situation): Finding {
  const { organizationNumber } = from
  if (organizationNumber === undefined) {
    return undefined
  }
  const checked = checkOrganisationNumber(bank.countryCode, String(organizationNumber))
  return checked.ok && checked.organisationNumber === organisationNumber
    ? undefined
    : { code: 'InvalidRequest', reason: `is not the company of the consent, ${organisationNumber}` }
}

function checkCurrency({ amount }: DomesticPayment, { bank: { countryCode } }: Situation): Finding {
  const domestic = countryRules(countryCode)?.currency
  if (scaleOf(amount.currency) === undefined) {
    return { code: 'InvalidAmount', reason: `${amount.currency} is no currency of ISO 4217` }
  }
  return amount.currency === domestic
    ? undefined
    : { code: 'InvalidAmount', reason: `must be ${domestic} in a domestic payment of ${countryCode}` }
}

function checkAmount({ amount }: DomesticPayment, { bank }: Situation): Finding {
  const { amount: text, currency } = amount
  const scale = scaleOf(String(currency))
  const money = parseMoney(text, String(currency))
  if (scale === undefined) {
    return undefined
  }
  if (money === undefined) {
    return { code: 'InvalidAmount', reason: `${currency} has ${scale} decimals at most` }
  }
  const max = bank.profile.amountMax[money.currency]
  const limit = max === undefined ? undefined : parseMoney(max, money.currency)
  if (money.minor === 0n) {
    return { code: 'InvalidAmount', reason: 'must be above zero' }
  }
  return limit !== undefined && money.minor > limit.minor
    ? { code: 'InvalidAmount', reason: `is above ${max} ${currency}, the most that ${bank.name} takes in one payment` }
    : undefined
}

function checkDueDate({ dueDate }: DomesticPayment, { bank, today }: Situation): Finding {
  const day = dayOf(dueDate)
  if (day === undefined) {
    return { code: 'InvalidDueDate', reason: 'is no day of the calendar' }
  }
  if (Temporal.PlainDate.compare(day, today) < 0) {
    return { code: 'InvalidDueDate', reason: `is in the past; today is ${today}` }
  }
  const last = today.add({ days: bank.profile.dueDateMaxDays })
  return Temporal.PlainDate.compare(day, last) > 0
    ? { code: 'InvalidDueDate', reason: `is after ${last}, the last day that ${bank.name} takes` }
    : undefined
}

function checkRemittance({ remittanceInformation }: DomesticPayment, { bank }: Situation): Finding {
  switch (remittanceInformation?.type) {
    case undefined:
      return undefined
    case 'message':
      return checkMessage(remittanceInformation.value, bank)
    case 'ocr': {
      const checked = checkReference(bank.countryCode, remittanceInformation.value)
      return checked.ok ? undefined : { code: 'InvalidRemittanceInfo', reason: `The reference ${checked.reason}` }
    }
    case 'fik':
      return bank.countryCode === 'DK'
        ? undefined
        : { code: 'InvalidRemittanceInfo', reason: 'FIK references are used in Denmark only' }
  }
}

function checkMessage(value: string, bank: Bank): Finding {
  const max = bank.profile.constraints.maxUnstructuredRemittanceInfoLength
  const length = [...value].length
  if (length > max) {
    return { code: 'InvalidRemittanceInfo', reason: `The message has ${length} characters; ${bank.name} takes ${max}` }
  }
  return checkText(bank, value)
}

/** The day a text names, or undefined when the calendar has none such, as 30 February. */
function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}
