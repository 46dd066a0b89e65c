/** Declares the operations on accounts: list the accounts of a consent, and get a balance. */
import { type Static, Type } from 'typebox'
import { BankProduct } from './banks.ts'
import { operation } from './operation.ts'
import { Balance, bicOf, countryCode, currencyCode, instant, pathParameter, text } from './shapes.ts'

export const Account = Type.Object(
  {
    id: text('The accountId of other operations; may differ for every consent.'),
    bban: text(
      'The account number in its domestic format, or the IBAN where the bank gives only an IBAN that does not ' +
        'contain that number, as some in Sweden do. Orders accept this value and the `iban`.',
    ),
    iban: Type.Optional(text('The IBAN.')),
    bic: bicOf("The bank's BIC."),
    name: Type.Optional(text('The name of the account at the bank.')),
    ownerName: Type.Optional(text('The account owner, as named by the bank.')),
    currency: currencyCode('The currency of the account.'),
    country: countryCode('The country of the account (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number of the company that owns it.'),
    type: Type.Enum(['Current', 'Savings', 'Tax', 'Currency', 'Other'], { description: 'The type of account.' }),
    products: Type.Array(BankProduct, { description: 'The bank products that the account can be used for.' }),
    stableId: text('Identifies the account under every consent.'),
  },
  { title: 'Account', description: 'An account of the consent.' },
)
export type Account = Static<typeof Account>

export const AccountList = Type.Object(
  { accounts: Type.Array(Account, { description: "The company's accounts." }) },
  { title: 'AccountList', description: 'The accounts on the consent.' },
)
export type AccountList = Static<typeof AccountList>

export const AccountBalance = Type.Object(
  {
    availableBalance: Type.Optional(Balance),
    bookedBalance: Type.Optional(Balance),
    timestamp: instant('When the bank reported it.'),
  },
  {
    title: 'AccountBalance',
    description: 'The available and the booked balance; each is absent if the bank does not report it.',
  },
)
export type AccountBalance = Static<typeof AccountBalance>

const read = {
  method: 'GET',
  tag: 'Accounts',
  admits: 'consent',
  psu: 'optional',
} as const

const unattended =
  'Without the PSU headers the user counts as absent: then four reads a day are allowed, by the calendar day of the ' +
  'bank, for each consent and account, unless agreed otherwise. Further reads return 429 with `Retry-After`. With ' +
  'the PSU headers of a user who is present there is no such limit.'

export const listAccounts = operation({
  ...read,
  id: 'listAccounts',
  path: '/api/v2/accounts',
  summary: 'List the accounts on a consent',
  description: unattended,
  answer: { status: 200, schema: AccountList },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  errorStatuses: [400, 401, 403, 429, 500, 503],
})

export const getAccountBalance = operation({
  ...read,
  id: 'getAccountBalance',
  path: '/api/v2/accounts/{accountId}/balance',
  summary: "Get an account's balance",
  description: unattended,
  params: Type.Object({ accountId: pathParameter('The id from the list of accounts.') }),
  answer: { status: 200, schema: AccountBalance },
  failures: [
    'INVALID_CONSENT',
    'INVALID_ACCOUNT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'ACCESS_DENIED',
  ],
  malformedIds: { accountId: 'INVALID_ACCOUNT' },
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
})
