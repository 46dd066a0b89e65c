/** Declares the operations on accounts: list those on a consent, and read a balance. */
import { type Static, Type } from 'typebox'
import { BankProduct } from './banks.ts'
import { operation } from './operation.ts'
import { Balance, bicOf, countryCode, currencyCode, instant, pathText, text } from './shapes.ts'

export const Account = Type.Object(
  {
    id: text('What other operations take as accountId; may change with every consent.'),
    bban: text(
      'The account number in its domestic form, or the IBAN where the bank tells only an IBAN that does not hold that ' +
        'number, as some in Sweden do. Orders take it as it stands here, and the `iban` as well.',
    ),
    iban: Type.Optional(text('The account number in its international form.')),
    bic: bicOf("The bank's BIC."),
    name: Type.Optional(text('What the account is called at the bank.')),
    ownerName: Type.Optional(text('Who owns it, as the bank says.')),
    currency: currencyCode('The currency of the account.'),
    country: countryCode('The country of the account (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number of the company that owns it.'),
    type: Type.Enum(['Current', 'Savings', 'Tax', 'Currency', 'Other'], { description: 'The kind of account.' }),
    products: Type.Array(BankProduct, { description: 'What can be done with it.' }),
    stableId: text('Identifies the account under every consent.'),
  },
  { title: 'Account', description: 'An account that the consent gives access to.' },
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
    timestamp: instant('When the bank said so.'),
  },
  {
    title: 'AccountBalance',
    description: 'What is available, and what is booked; each absent where the bank does not tell it.',
  },
)
export type AccountBalance = Static<typeof AccountBalance>

const read = {
  method: 'GET',
  server: 'base',
  tag: 'Accounts',
  admits: 'consent',
  psu: 'optional',
  validation: [],
  idempotent: false,
  sandboxOnly: false,
} as const

const unattended =
  'Without the PSU headers the user counts as absent: then it is answered four times a day, by the calendar of the ' +
  'bank, for each consent and account, unless agreed otherwise. After that 429 with `Retry-After` until the next day. With ' +
  'the PSU headers of a user who is there it is answered at any time.'

export const listAccounts = operation({
  ...read,
  id: 'listAccounts',
  path: '/api/v2/accounts',
  summary: 'List the accounts on a consent',
  description: unattended,
  answer: { status: 200, schema: AccountList },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 429, 500, 503],
})

export const getAccountBalance = operation({
  ...read,
  id: 'getAccountBalance',
  path: '/api/v2/accounts/{accountId}/balance',
  summary: "Read an account's balance",
  description: unattended,
  params: Type.Object({ accountId: pathText('The id from the list of accounts.') }),
  answer: { status: 200, schema: AccountBalance },
  failures: [
    'INVALID_CONSENT',
    'INVALID_ACCOUNT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'ACCESS_DENIED',
  ],
  refusals: [400, 401, 403, 404, 429, 500, 503],
})
