/** Declares the operations on banks: list the banks of a country, and get one with its products and limits. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { DOMESTIC_RAILS } from './payments/domestic-payment.ts'
import { bicOf, countryCode, Money, orNull, PreferredScaMethod, pathParameter, text } from './shapes.ts'

export const BankProduct = Type.Enum(
  [
    'PAYMENT_DOMESTIC',
    'PAYMENT_CROSS_BORDER',
    'PAYROLL',
    'PAYROLL_BULK',
    'ACCOUNTS',
    'ACCOUNT_ENTRIES',
    'ACCOUNT_ENTRIES_EXTENDED',
    'PAYMENT_CANCEL',
  ],
  { title: 'BankProduct', description: 'A product that a bank offers through this API.' },
)
export type BankProduct = Static<typeof BankProduct>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const countOrNull = (description: string) => orNull(Type.Integer({ minimum: 0 }), description)

const timeOfDay = (description: string) => Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })

const Rail = Type.Enum([...DOMESTIC_RAILS], {
  description: 'The payment rail: to an account, to a Swedish giro number, or by a Danish payment form.',
})

const RailLimits = Type.Object(
  {
    rail: Rail,
    maxAmount: orNull(Money, 'The largest amount of one payment; null where only maxAmounts applies.'),
    maxRecipientNameLength: count("The maximum length of the receiver's name."),
    maxUnstructuredRemittanceInfoLength: count('The maximum length of a message.'),
  },
  { title: 'RailLimits', description: 'The limits of the bank for one payment rail.' },
)

export const BankConstraints = Type.Object(
  {
    maxBasketSize: countOrNull('The maximum number of payments in one signature; null if the bank has no limit.'),
    maxBulkSize: countOrNull('The maximum number of payrolls in a bulk; null if the bank accepts none.'),
    maxPayrollSize: countOrNull('The maximum number of transactions in a payroll; null if the bank accepts none.'),
    maxInformationFieldLength: count('The maximum length of a name.'),
    maxUnstructuredRemittanceInfoLength: count(
      'The maximum length of a message; to accounts at other banks ' +
        'maxUnstructuredRemittanceInfoLengthToOtherBanks applies.',
    ),
    maxUnstructuredRemittanceInfoLengthToOtherBanks: count(
      'The maximum length of a message to an account at another bank.',
    ),
    maxCrossBorderRemittanceInfoLength: countOrNull(
      'The maximum length of the message of a cross-border payment without exchange; null if the bank offers none.',
    ),
    maxDebtorReferenceLength: count('The maximum length of a debtorReference.'),
    maxAmounts: Type.Array(Money, {
      description: 'The largest amount of one domestic payment, for each currency with a limit.',
    }),
    rails: Type.Array(RailLimits, {
      description: 'The limits of each rail of domestic payments.',
    }),
    aisMaxDateRangeMonths: count('The maximum date range of one request for account entries, in months.'),
    cancelSCARequired: Type.Boolean({ description: 'Whether the user must approve a cancellation.' }),
    validInformationFieldCharactersPattern: Type.String({
      description: 'The character class that every character of a name or message matches, for example `[a-zA-Z0-9 ]`.',
    }),
  },
  { title: 'BankConstraints', description: 'The limits of the bank.' },
)
export type BankConstraints = Static<typeof BankConstraints>

export const BankUserId = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether a consent needs the userId.' }),
    label: text('The name that the bank uses for it, for the label of a form field.'),
    pattern: text('The regular expression that the whole userId matches.'),
    example: text('A userId of the right format; in the sandbox, one that the sandbox bank knows.'),
  },
  { title: 'BankUserId', description: "Whether a consent needs the user's id, and its format." },
)

export const Bank = Type.Object(
  {
    bic: bicOf("The bank's BIC."),
    name: text('The name of the bank.'),
    countryCode: countryCode('The country of the bank (ISO 3166-1 alpha-2).'),
    branches: Type.Array(
      Type.Object(
        { name: text('The name of the branch.'), branch: text('The value for bankBranch.') },
        { title: 'BankBranch', description: 'A branch of a bank whose users log in by branch.' },
      ),
      { description: 'The branches, for banks whose users log in by branch.' },
    ),
    supportedProducts: Type.Array(BankProduct, { description: 'The products that the bank offers through this API.' }),
    constraints: BankConstraints,
    scaMethods: Type.Array(PreferredScaMethod, { description: 'The SCA methods of the bank.' }),
    maxConsentValidityDays: count('The maximum validity of a consent, in days.'),
    userId: BankUserId,
    dueDateMaxDays: count('How many days ahead a due date may be.'),
    cutOffTime: timeOfDay(
      "Until when the bank executes orders on the same day, `HH:MM` in the time of the bank's country.",
    ),
    cutOffs: Type.Array(
      Type.Object(
        {
          rail: Rail,
          localTime: timeOfDay("`HH:MM` in the time of the bank's country."),
          bankDaysBefore: count('Bank days before the due date; 0 is the due date itself.'),
        },
        { title: 'CutOff', description: 'The time by which an order must be signed to be executed on its due date.' },
      ),
      { description: 'The cut-off of each rail of domestic payments to other banks.' },
    ),
    status: Type.Enum(['Operational', 'Degraded', 'Down'], { description: 'The present availability of the bank.' }),
  },
  { title: 'Bank', description: 'A bank with its products and limits.' },
)
export type Bank = Static<typeof Bank>

const country = { countryCode: pathParameter('The country (ISO 3166-1 alpha-2), for example `NO`.') }

const read = {
  method: 'GET',
  tag: 'Banks',
  admits: 'partner',
  errorStatuses: [401, 403, 404, 429, 500, 503],
} as const

export const listBanks = operation({
  ...read,
  id: 'listBanks',
  path: '/api/v2/banks/{countryCode}',
  summary: 'List the banks of a country',
  description: 'Each bank with its products, limits and cut-off times.',
  params: Type.Object(country),
  answer: {
    status: 200,
    schema: Type.Array(Bank, { description: 'The banks, by name; empty if the country is not supported.' }),
  },
})

export const getBank = operation({
  ...read,
  id: 'getBank',
  path: '/api/v2/banks/{countryCode}/{bic}',
  summary: 'Get a bank',
  description: 'The products, limits and cut-off times of one bank.',
  params: Type.Object({ ...country, bic: pathParameter("The bank's BIC.") }),
  answer: { status: 200, schema: Bank },
})
