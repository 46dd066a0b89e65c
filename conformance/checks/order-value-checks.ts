/** Checks the values of a domestic payment: amounts, dates, account numbers, names and texts. */
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { Check, CheckContext } from '../check.ts'
import { errorProblems, problemsOfEach, requireNone, statusProblems } from '../expectations.ts'
import { NATIONAL_SAMPLES } from '../subjects/consents.ts'
import { domesticOrder, ordering, orderingByCountry } from '../subjects/payments.ts'

const REFERENCE = 'API reference: initiateDomesticPayment'
/** Each with what is wrong. */
const AMOUNTS: readonly (readonly [amount: unknown, fault: string])[] = [
  ['0', 'zero'],
  ['0.00', 'zero'],
  ['-1.00', 'negative'],
  ['1,00', 'a decimal comma'],
  ['1.005', 'more decimals than the currency has'],
  ['1e3', 'an exponent'],
  [' 1.00', 'a space'],
  ['1 000.00', 'a separator'],
  ['', 'empty'],
  ['12345678901234.00', 'too large'],
  [1, 'a JSON number'],
]
const CURRENCIES: readonly (readonly [currency: unknown, fault: string])[] = [
  ['nok', 'small letters'],
  ['NO', 'two letters'],
  ['ZZZ', 'no currency of the account'],
  ['', 'empty'],
]
const DATES: readonly (readonly [date: unknown, fault: string])[] = [
  ['2020-01-15', 'in the past'],
  ['2026-02-30', 'a day that does not exist'],
  ['15.01.2027', 'another format'],
  ['2027-01-15T00:00:00Z', 'a time'],
  ['2099-01-15', 'too far ahead'],
  ['tomorrow', 'a word'],
]
const LONG_NAME_CHARACTERS = 500

/** The problems of an order with one field changed, as `fault: …`. */
async function changedOrderProblems(
  context: CheckContext,
  changes: Partial<DomesticPayment>,
  expected: { readonly codes: readonly string[]; readonly path: string; readonly fault: string },
): Promise<readonly string[]> {
  const basis = await ordering(context)
  const body = await domesticOrder(context, basis, changes)
  const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body })
  return errorProblems(answer, { status: 422, ...expected }).map((problem) => `${expected.fault}: ${problem}`)
}

const rows = (
  check: Omit<Check, 'run'>,
  values: readonly (readonly [value: unknown, fault: string])[],
  to: {
    readonly codes: readonly string[]
    readonly path: string
    readonly changesOf: (value: never, order: DomesticPayment) => Partial<DomesticPayment>
  },
): Check => ({
  ...check,
  run: async (context) => {
    const order = await domesticOrder(context, await ordering(context))
    const { codes, path } = to
    const problems = await problemsOfEach(values, ([value, fault]) =>
      changedOrderProblems(context, to.changesOf(value as never, order), { codes, path, fault }),
    )
    requireNone(problems)
  },
})

export const ORDER_VALUE_CHECKS: readonly Check[] = [
  rows(
    {
      id: 'values-amount',
      title: 'Invalid amounts are rejected',
      rule: 'An amount is a string with a positive decimal, a point, and no more decimals than its currency has: 422 InvalidAmount.',
      reference: REFERENCE,
    },
    AMOUNTS,
    {
      codes: ['InvalidAmount'],
      path: '.amount.amount',
      changesOf: (amount, order) => ({ amount: { ...order.amount, amount } }),
    },
  ),
  rows(
    {
      id: 'values-currency',
      title: 'Invalid currencies are rejected',
      rule: 'The currency is a code of ISO 4217, and that of the account: 422 InvalidAmount.',
      reference: REFERENCE,
    },
    CURRENCIES,
    {
      codes: ['InvalidAmount', 'InvalidRequest'],
      path: '.amount.currency',
      changesOf: (currency, order) => ({ amount: { ...order.amount, currency } }),
    },
  ),
  rows(
    {
      id: 'values-due-date',
      title: 'Invalid due dates are rejected',
      rule: 'The due date is a day that exists, from today to the limit of the bank: 422 InvalidDueDate.',
      reference: REFERENCE,
    },
    DATES,
    { codes: ['InvalidDueDate'], path: '.dueDate', changesOf: (dueDate) => ({ dueDate }) },
  ),
  rows(
    {
      id: 'values-creditor-name',
      title: 'Names that banks do not accept are rejected',
      rule: 'A name that is too long is 422 RecipientNameTooLong, one with other characters 422 InvalidCharacters.',
      reference: REFERENCE,
    },
    [
      ['N'.repeat(LONG_NAME_CHARACTERS), 'too long'],
      ['Granli \u{1F600} AS', 'a character outside of the bank’s'],
    ],
    {
      codes: ['RecipientNameTooLong', 'InvalidCharacters'],
      path: '.to.contactInformation.name',
      changesOf: (name, { to }) => ({ to: { ...to, contactInformation: { name } } }),
    },
  ),
  rows(
    {
      id: 'values-debtor-account',
      title: 'An invalid debtor account is rejected',
      rule: 'It is 422 InvalidBBAN.',
      reference: REFERENCE,
    },
    [
      ['1', 'too short'],
      ['ABC', 'letters'],
    ],
    {
      codes: ['InvalidBBAN'],
      path: '.from.account.bban',
      changesOf: (bban, { from }) => ({ from: { ...from, account: { type: 'bban', bban } } }),
    },
  ),
  {
    id: 'values-creditor-account',
    title: 'Invalid creditor accounts of each country are rejected',
    rule: 'Length, characters and check digits are those of the country: 422 InvalidAccountNumber.',
    reference: REFERENCE,
    run: async (context) => {
      const problems: string[] = []
      for (const [country, basis] of await orderingByCountry(context)) {
        for (const [bban, fault] of NATIONAL_SAMPLES[country]?.invalidAccounts ?? []) {
          const order = await domesticOrder(context, basis)
          const body = { ...order, to: { ...order.to, account: { type: 'bban', bban } } }
          const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body })
          const expected = { status: 422, codes: ['InvalidAccountNumber'], path: '.to.account.bban' }
          problems.push(...errorProblems(answer, expected).map((problem) => `${country}, ${fault}: ${problem}`))
        }
      }
      requireNone(problems)
    },
  },
  {
    id: 'values-each-country',
    title: 'A payment can be ordered in each country',
    rule: 'Where the partner has a company and a consent, a valid order is accepted in the currency of the country.',
    reference: REFERENCE,
    run: async (context) => {
      const problems = await problemsOfEach(await orderingByCountry(context), async ([country, basis]) => {
        const body = await domesticOrder(context, basis)
        const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body })
        return statusProblems(answer, 200).map((problem) => `${country}: ${problem}`)
      })
      requireNone(problems)
    },
  },
  {
    id: 'values-references',
    title: 'References are validated by the rules of each country',
    rule: 'validateRemittance finds valid references valid, and wrong check digits and lengths invalid, with a reason.',
    reference: 'API reference: validateRemittance',
    run: async (context) => {
      const problems: string[] = []
      for (const [country, { validReferences, invalidReferences }] of Object.entries(NATIONAL_SAMPLES)) {
        for (const [type, value] of validReferences) {
          const { valid, reason } = await context.succeed('validateRemittance', { body: { country, type, value } })
          problems.push(...(valid ? [] : [`${country}: ${value} is valid, and reported as invalid: ${String(reason)}`]))
        }
        for (const [type, value, fault] of invalidReferences) {
          const { valid } = await context.succeed('validateRemittance', { body: { country, type, value } })
          problems.push(...(valid ? [`${country}: ${value} has a ${fault}, and is reported as valid`] : []))
        }
      }
      requireNone(problems)
    },
  },
]
