/** Parses a cross-border payment against its bank: the order and its warnings, or every error. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { isAccountOnConsent } from '../../consents/require-consent.ts'
import type { Context } from '../../context.ts'
import { validateDestination } from '../../countries/destinations/destination-validation.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import type { Parsing } from '../../platform/http/operations/served-operation.ts'
import { isSound } from '../../platform/http/validation/schema-validation.ts'
import {
  asValidCrossBorderPayment,
  type CrossBorderParts,
  parseCrossBorderParts,
  type ValidCrossBorderPayment,
} from './cross-border-parts.ts'
import {
  checkAmount,
  checkAmountCurrency,
  checkDebtorAccount,
  checkDebtorBic,
  checkDebtorCurrency,
  destinationErrorsOf,
} from './cross-border-rules.ts'
import {
  checkAddressText,
  checkDebtorReference,
  checkEndToEndId,
  checkMessage,
  checkName,
} from './cross-border-text-validation.ts'
import { crossBorderWarnings } from './cross-border-warnings.ts'
import { acceptAccountOfConsent, checkDebtorOrganisationNumber } from './domestic-rules.ts'
import { checkExchange, validateRegulatoryReporting } from './exchange-validation.ts'
import { checkDueDate } from './execution-day.ts'
import { type Rules, ruleErrorsOf, type ValidationContext } from './validation-context.ts'

/** A cross-border payment whose parts are valid, with what its parsing found out. */
export type CrossBorderInstruction = ValidCrossBorderPayment & {
  readonly warnings: readonly PaymentWarning[]
  /** The local date and time at the bank when it was parsed. */
  readonly orderedAt: Temporal.PlainDateTime
  /** Why its exchange cannot be ordered at this time or for this date; a 400, after all that is a 422. */
  readonly exchangeClosed: Error | undefined
}

/** What an order is built from. */
const MEMBERS = ['.metadata', '.from', '.to', '.amount', '.dueDate', '.remittanceInformation', '.regulatoryReporting']

/**
 * `isSoundAt` states which fields have the right shape; no rule reads the others. An error in the debtor's number does
 * not hold where the bank lists the account on the consent.
 */
export async function parseCrossBorderPayment(
  context: Context,
  ordered: CrossBorderPayment,
  validation: ValidationContext,
  { caller, isSoundAt }: { readonly caller: ConsentCaller; readonly isSoundAt: (path: string) => boolean },
): Promise<Parsing<CrossBorderInstruction>> {
  const { countryCode } = validation.bank
  const parts = parseCrossBorderParts(ordered, countryCode, isSoundAt)
  const { destination } = parts
  const findings = destination && isSoundAt('.from.currency') ? validateDestination(destination) : undefined
  const ruleErrors = [...ruleErrorsOf(RULES, parts, validation, isSoundAt), ...missingCreditorAccount(parts, isSoundAt)]
  const destinationErrors = destinationErrorsOf(parts, findings?.validationErrors ?? [])
  // A field that a rule has rejected already gets no second error.
  const found = [...ruleErrors, ...destinationErrors.filter(({ path }) => isSound(path, ruleErrors))]
  const isOnConsent = async () => !parts.isToOwnAccount && (await isAccountOnConsent(context, caller, parts.debtor))
  const orderErrors = await acceptAccountOfConsent(found, isOnConsent, 'InvalidFromAccount')
  const areValid = (...paths: readonly string[]) => paths.every((path) => isSoundAt(path) && isSound(path, orderErrors))
  const isExchangeSound = ['.amount', '.from.currency', '.dueDate'].every(isSoundAt)
  const exchange = isExchangeSound && parts.requiresExchange ? checkExchange(context, parts, countryCode) : undefined
  const exchangeErrors = (exchange?.errors ?? []).filter(({ path }) => path === '.' || isSound(path, orderErrors))
  const reporting = areValid('.amount', '.regulatoryReporting')
    ? await validateRegulatoryReporting(context, parts, countryCode)
    : []
  const reportingErrors = reporting.filter(({ isWarning }) => !isWarning)
  const errors: readonly ValidationError[] = [
    ...orderErrors,
    ...(areValid('.quoteId', '.amount.currency', '.from.currency') ? quoteWithoutExchange(parts) : []),
    ...exchangeErrors,
    ...reportingErrors.map(({ path, reason }) => ({ code: 'InvalidRequest', path, reason }) as const),
  ]
  const valid = errors.length === 0 && MEMBERS.every(isSoundAt) ? asValidCrossBorderPayment(parts) : undefined
  if (valid === undefined) {
    return errors
  }
  const warnings = crossBorderWarnings(valid, validation, { destination: findings?.warnings ?? [], reporting })
  return { parsed: { ...valid, warnings, orderedAt: validation.localNow, exchangeClosed: exchange?.closed } }
}

/** A quote that is not booked must not be ignored: the partner believes in an exchange, and the bank would pay another amount. */
function quoteWithoutExchange({ ordered, requiresExchange }: CrossBorderParts): readonly ValidationError[] {
  const { quoteId, from } = ordered
  const reason =
    `names an exchange, but the amount is in the currency of the debtor account, ${from.currency}: ` +
    'send the requestedAmount of the quote as amount'
  return quoteId === undefined || requiresExchange ? [] : [{ code: 'InvalidRequest', reason, path: '.quoteId' }]
}

type CrossBorderRules = Rules<CrossBorderParts, ValidationContext>

/** Exchange and regulatory reporting are validated separately. */
const RULES: CrossBorderRules = [
  ['.metadata.endToEndId', checkEndToEndId],
  ['.from.account.bic', checkDebtorBic],
  ['.from.account.bban', checkDebtorAccount],
  ['.from.contactInformation.name', (parts, { bank }) => checkName(parts, bank, 'from')],
  ...addressRules('from'),
  ['.from.currency', checkDebtorCurrency],
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.to.contactInformation.name', (parts, { bank }) => checkName(parts, bank, 'to')],
  ...addressRules('to'),
  ['.amount.currency', checkAmountCurrency],
  ['.amount', checkAmount],
  ['.dueDate', ({ dueDate }, validation) => checkDueDate({ dueDate, ordered: {} }, validation)],
  ['.remittanceInformation', checkMessage],
  ['.remittanceInformation.debtorReference', checkDebtorReference],
]

/**
 * The destination as a whole is validated only where all of it has the right shape. Without a type either number will
 * do.
 */
function missingCreditorAccount(
  { ordered }: CrossBorderParts,
  isSoundAt: (path: string) => boolean,
): readonly ValidationError[] {
  const account: unknown = Object(ordered.to).account
  if (typeof account !== 'object' || account === null) {
    return []
  }
  const isTypeKnown = isSoundAt('.to.account.type')
  const type = isTypeKnown ? ordered.to.account.type : 'bban'
  const isGiven = Object.hasOwn(account, type) || (!isTypeKnown && Object.hasOwn(account, 'iban'))
  return isGiven
    ? []
    : [{ code: 'InvalidBbanOrIban', reason: 'is missing; it is required with this type', path: `.to.account.${type}` }]
}

function addressRules(side: 'from' | 'to'): CrossBorderRules {
  const fields = ['streetName', 'buildingNumber', 'postCode', 'city', 'country'] as const
  return fields.map((field) => {
    const rule: CrossBorderRules[number][1] = (parts) => checkAddressText(parts, side, field)
    return [`.${side}.contactInformation.address.${field}`, rule] as const
  })
}
