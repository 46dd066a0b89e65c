/** Checks the values of a domestic payment: amounts, dates, account numbers, names and texts. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { errorProblems, problemsOfEach, requireNone, statusProblems, withValueAt } from '../expectations.ts'
import { NATIONAL_SAMPLES } from '../subjects/consents.ts'
import { domesticOrder, type Ordering, ordering, orderingByCountry } from '../subjects/payments.ts'

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

/** An order with any of the values in a field is a 422 with one of the codes at the field. */
type InvalidValues = Omit<Check, 'run' | 'reference'> & {
  readonly path: string
  readonly codes: readonly string[]
  readonly values: readonly (readonly [value: unknown, fault: string])[]
}

const INVALID_VALUES: readonly InvalidValues[] = [
  {
    id: 'values-amount',
    title: 'Invalid amounts are rejected',
    rule: 'An amount is a string with a positive decimal, a point, and no more decimals than its currency has: 422 InvalidAmount.',
    path: '.amount.amount',
    codes: ['InvalidAmount'],
    values: AMOUNTS,
  },
  {
    id: 'values-currency',
    title: 'Invalid currencies are rejected',
    rule: 'The currency is a code of ISO 4217, and that of the account: 422 InvalidAmount.',
    path: '.amount.currency',
    codes: ['InvalidAmount', 'InvalidRequest'],
    values: CURRENCIES,
  },
  {
    id: 'values-due-date',
    title: 'Invalid due dates are rejected',
    rule: 'The due date is a day that exists, from today to the limit of the bank: 422 InvalidDueDate.',
    path: '.dueDate',
    codes: ['InvalidDueDate'],
    values: DATES,
  },
  {
    id: 'values-creditor-name',
    title: 'Names that banks do not accept are rejected',
    rule: 'A name that is too long is 422 RecipientNameTooLong, one with other characters 422 InvalidCharacters.',
    path: '.to.contactInformation.name',
    codes: ['RecipientNameTooLong', 'InvalidCharacters'],
    values: [
      ['N'.repeat(LONG_NAME_CHARACTERS), 'too long'],
      ['Granli \u{1F600} AS', 'a character outside of the bank’s'],
    ],
  },
  {
    id: 'values-debtor-account',
    title: 'An invalid debtor account is rejected',
    rule: 'It is 422 InvalidBBAN.',
    path: '.from.account.bban',
    codes: ['InvalidBBAN'],
    values: [
      ['1', 'too short'],
      ['ABC', 'letters'],
    ],
  },
]

/** The problems of orders with these values in a field, each as `fault: …`. */
async function invalidValueProblems(
  context: CheckContext,
  basis: Ordering,
  { path, codes, values }: Pick<InvalidValues, 'path' | 'codes' | 'values'>,
): Promise<readonly string[]> {
  return await problemsOfEach(values, async ([value, fault]) => {
    const body = withValueAt(await domesticOrder(context, basis), path, value)
    const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body })
    return errorProblems(answer, 422, codes, path).map((problem) => `${fault}: ${problem}`)
  })
}

export const ORDER_VALUE_CHECKS: readonly Check[] = documentedIn('API reference: initiateDomesticPayment', [
  ...INVALID_VALUES.map(({ id, title, rule, ...invalid }) => ({
    id,
    title,
    rule,
    run: async (context: CheckContext) =>
      requireNone(await invalidValueProblems(context, await ordering(context), invalid)),
  })),
  {
    id: 'values-creditor-account',
    title: 'Invalid creditor accounts of each country are rejected',
    rule: 'Length, characters and check digits are those of the country: 422 InvalidAccountNumber.',
    run: async (context) => {
      const problems = await problemsOfEach(await orderingByCountry(context), async ([country, basis]) => {
        const values = NATIONAL_SAMPLES[country]?.invalidAccounts ?? []
        const invalid = { path: '.to.account.bban', codes: ['InvalidAccountNumber'], values }
        const found = await invalidValueProblems(context, basis, invalid)
        return found.map((problem) => `${country}, ${problem}`)
      })
      requireNone(problems)
    },
  },
  {
    id: 'values-each-country',
    title: 'A payment can be ordered in each country',
    rule: 'Where the partner has a company and a consent, a valid order is accepted in the currency of the country.',
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
])
