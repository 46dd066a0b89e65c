/** Declares the operations on banks: which there are in a country, and what each offers and demands. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { bicOf, countryCode, Money, PreferredScaMethod, pathText, text } from './shapes.ts'

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
  { title: 'BankProduct', description: 'Something that a bank offers here.' },
)
export type BankProduct = Static<typeof BankProduct>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const countOrNull = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const Rail = Type.Enum(['account', 'bankgiro', 'plusgiro', 'payment-form'], {
  description: 'How the payment travels: to an account, a Swedish giro number, or by a Danish payment form.',
})

const RailLimits = Type.Object(
  {
    rail: Rail,
    maxAmount: Type.Union([Money, Type.Null()], {
      description: 'The largest amount of one payment; null where only maxAmounts applies.',
    }),
    maxRecipientNameLength: count("How many characters the receiver's name holds at most."),
    maxUnstructuredRemittanceInfoLength: count('How many characters a message holds at most.'),
  },
  { title: 'RailLimits', description: 'What the bank limits in payments that travel in one way.' },
)

export const BankConstraints = Type.Object(
  {
    maxBasketSize: countOrNull('How many payments one signature covers at most; null where the bank names no limit.'),
    maxBulkSize: countOrNull('How many payrolls a bulk holds at most; null where the bank takes none.'),
    maxPayrollSize: countOrNull('How many transactions a payroll holds at most; null where the bank takes none.'),
    maxInformationFieldLength: count('How many characters a name holds at most.'),
    maxUnstructuredRemittanceInfoLength: count(
      'How many characters a message holds at most; to accounts at other banks maxUnstructuredRemittanceInfoLengthToOtherBanks applies.',
    ),
    maxUnstructuredRemittanceInfoLengthToOtherBanks: count(
      'How many characters a message to an account at another bank holds at most.',
    ),
    maxCrossBorderRemittanceInfoLength: countOrNull(
      'How many characters the message of a cross-border payment without exchange holds at most; null where the bank offers none.',
    ),
    maxDebtorReferenceLength: count('How many characters a debtorReference holds at most.'),
    maxAmounts: Type.Array(Money, {
      description: 'The largest amount of one domestic payment, for each currency that the bank limits.',
    }),
    rails: Type.Array(RailLimits, {
      description: 'The limits of each way in which the bank takes domestic payments.',
    }),
    aisMaxDateRangeMonths: count('How many months of account entries one request spans at most.'),
    cancelSCARequired: Type.Boolean({ description: 'Whether the user must approve a cancellation.' }),
    validInformationFieldCharactersPattern: Type.String({
      description: 'The character class that every character of a name or message matches, for example `[a-zA-Z0-9 ]`.',
    }),
  },
  { title: 'BankConstraints', description: 'What the bank limits.' },
)
export type BankConstraints = Static<typeof BankConstraints>

export const BankUserId = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether a consent needs the userId.' }),
    label: text('What the bank calls it, to show in a form.'),
    pattern: text('The regular expression that it matches as a whole.'),
    example: text('One that has the right form; in the sandbox, one that the sandbox bank knows.'),
  },
  { title: 'BankUserId', description: "What the bank needs to know of the user's id." },
)

export const Bank = Type.Object(
  {
    bic: bicOf("The bank's BIC."),
    name: text('What the bank is called.'),
    countryCode: countryCode('Where it is (ISO 3166-1 alpha-2).'),
    branches: Type.Array(
      Type.Object(
        { name: text('What the branch is called.'), branch: text('What to send as bankBranch.') },
        { title: 'BankBranch', description: 'A branch that is entered by itself.' },
      ),
      { description: 'The branches, for banks that are entered by branch.' },
    ),
    supportedProducts: Type.Array(BankProduct, { description: 'What the bank offers here.' }),
    constraints: BankConstraints,
    scaMethods: Type.Array(PreferredScaMethod, { description: 'How users can sign.' }),
    maxConsentValidityDays: count('For how many days a consent is valid at most.'),
    userId: BankUserId,
    dueDateMaxDays: count('How many days ahead a due date may lie.'),
    cutOffTime: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: "Until when the bank executes orders on the same day, `HH:MM` in the time of the bank's country.",
    }),
    cutOffs: Type.Array(
      Type.Object(
        {
          rail: Rail,
          localTime: Type.String({
            pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
            description: "`HH:MM` in the time of the bank's country.",
          }),
          bankDaysBefore: count('How many bank days before the due date; 0 is the due date itself.'),
        },
        { title: 'CutOff', description: 'Until when an order must be signed to be carried out on its due date.' },
      ),
      { description: 'The cut-off of every way in which the bank takes domestic payments to other banks.' },
    ),
    status: Type.Enum(['Operational', 'Degraded', 'Down'], { description: 'How the bank works at the moment.' }),
  },
  { title: 'Bank', description: 'A bank, what it offers and what it demands.' },
)
export type Bank = Static<typeof Bank>

const country = { countryCode: pathText('The country (ISO 3166-1 alpha-2), for example `NO`.') }

const read = {
  method: 'GET',
  server: 'base',
  tag: 'Banks',
  admits: 'partner',
  psu: 'none',
  failures: [],
  refusals: [401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
} as const

export const listBanks = operation({
  ...read,
  id: 'listBanks',
  path: '/api/v2/banks/{countryCode}',
  summary: 'List the banks of a country',
  params: Type.Object(country),
  answer: {
    status: 200,
    schema: Type.Array(Bank, { description: 'The banks, by name; none where the country is not served.' }),
  },
})

export const getBank = operation({
  ...read,
  id: 'getBank',
  path: '/api/v2/banks/{countryCode}/{bic}',
  summary: 'Read a bank',
  params: Type.Object({ ...country, bic: pathText("The bank's BIC.") }),
  answer: { status: 200, schema: Bank },
})
