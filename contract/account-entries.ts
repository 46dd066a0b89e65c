/** Declares the operations on account entries: those between two days, the same with details, and the details of one. */
import { type Static, Type } from 'typebox'
import { codedBody } from './errors/coded-errors.ts'
import { operation } from './operation.ts'
import { currencyCode, day, instant, pathText, text, uuid } from './shapes.ts'

/** The largest amount of an entry. */
const AMOUNT_MAX = 999_999_999_999.99

const EntryAmount = Type.Object(
  {
    amount: Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description:
        'Never negative: `type` says which way it goes. Exact, with the decimals of its currency, two as a rule.',
    }),
    currency: currencyCode('The currency (ISO 4217).'),
  },
  { title: 'EntryAmount', description: 'An amount as a number, and its currency.' },
)

const EntryParty = Type.Object(
  {
    name: Type.Optional(text('Who holds the account.')),
    bban: Type.Optional(text('The account number in its domestic form.')),
    iban: Type.Optional(text('The account number in its international form.')),
  },
  { title: 'EntryParty', description: 'One side of an entry, as far as the bank names it.' },
)

const StructuredReference = Type.Object(
  {
    reference: text('The reference.'),
    type: Type.Optional(text('Of which kind it is, for example `SCOR`.')),
  },
  { title: 'StructuredReference', description: 'A structured reference.' },
)

const RemittanceTold = Type.Object(
  {
    reference: Type.Optional(
      text('The structured reference: a KID, OCR, creditor or invoice reference; the first of several.'),
    ),
    references: Type.Optional(
      Type.Array(StructuredReference, {
        description: 'All structured references, each with its kind where the bank tells it.',
      }),
    ),
    unstructured: Type.Optional(text('The message.')),
  },
  { title: 'EntryRemittance', description: 'What the transfer says to its receiver.' },
)

const entryType = (description: string) => Type.Enum(['CREDIT', 'DEBIT'], { description })

const EntryElement = Type.Object(
  {
    postedAmount: Type.Optional(EntryAmount),
    type: entryType('Whether money comes in or leaves with it.'),
    creditor: EntryParty,
    debtor: EntryParty,
    remittanceInformation: RemittanceTold,
    endToEndId: Type.Optional(text('The id that the payer gave it.')),
  },
  { title: 'EntryElement', description: 'One of the transactions that were booked as a batch.' },
)

export const AccountEntry = Type.Object(
  {
    transactionId: text(
      "The bank's id of the entry; empty where it gives none. Some banks give another one when a pending entry is booked.",
    ),
    stableEntryId: text('Identifies the entry before and after it is booked, under every consent.'),
    postedAmount: EntryAmount,
    type: entryType('Whether money comes in or leaves.'),
    status: Type.Enum(['BOOKED', 'PENDING'], {
      description: 'Whether it is booked; a pending one may still change, or never be booked.',
    }),
    bookingDateTime: Type.Optional(
      instant(
        'When it was booked. Banks tell a day and no time: `2026-11-25T00:00:00.000Z` is 25 November, whose midnight in UTC ' +
          'lies in the same day at every bank. Absent while pending.',
      ),
    ),
    valueDateTime: Type.Optional(
      instant('From when on it counts for interest, told as `bookingDateTime` is; of a pending one, the day expected.'),
    ),
    purposeText: Type.Optional(text('What the transfer is for, in the words of the bank.')),
    remittanceInformation: RemittanceTold,
    creditor: EntryParty,
    debtor: EntryParty,
    endToEndId: Type.Optional(text('The id that the payer gave it, where the bank tells it.')),
    paymentId: Type.Optional(
      uuid(
        'Your payment that it belongs to. Absent in doubt: where the bank does not name its endToEndId, much must fit.',
      ),
    ),
    elements: Type.Optional(
      Type.Array(EntryElement, { description: 'Of a batch: the transactions in it, as far as the bank tells them.' }),
    ),
    enriched: Type.Boolean({ description: 'Whether the bank was asked for the details of this entry, and told them.' }),
  },
  { title: 'AccountEntry', description: 'An entry on an account.' },
)
export type AccountEntry = Static<typeof AccountEntry>

const AccountEntryDetails = Type.Object(
  {
    ...AccountEntry.properties,
    stableEntryId: Type.Optional(
      text(
        'As the list tells it. Absent at banks that keep nothing of an entry when they book it: there the list tells it.',
      ),
    ),
  },
  { title: 'AccountEntryDetails', description: 'An entry on an account, read by itself.' },
)

export const AccountEntryList = Type.Object(
  { accountEntries: Type.Array(AccountEntry, { description: "The entries, in the bank's order, pending ones last." }) },
  { title: 'AccountEntryList', description: 'The entries on an account between two days.' },
)
export type AccountEntryList = Static<typeof AccountEntryList>

const read = {
  method: 'GET',
  server: 'base',
  tag: 'Accounts',
  admits: 'consent',
  psu: 'optional',
  failures: [
    'INVALID_CONSENT',
    'INVALID_ACCOUNT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'ACCESS_DENIED',
  ],
  refusalBodies: { 403: codedBody.INACTIVE_SUBSCRIPTION },
  idempotent: false,
  sandboxOnly: false,
} as const

const accountId = pathText('The id from the list of accounts; it may change with every consent.')

const period = Type.Object({
  fromDate: day("The first day, in the bank's time zone."),
  toDate: day("The last day, which is included; at most the bank's `aisMaxDateRangeMonths` after the first."),
})

const list = {
  ...read,
  params: Type.Object({ accountId }),
  query: period,
  validation: ['InvalidRequest'],
  refusals: [400, 401, 403, 404, 406, 429, 500, 503],
  answer: {
    status: 200,
    schema: AccountEntryList,
    otherForms: {
      'application/xml': 'The same entries as a statement in ISO 20022 `camt.053.001.08`, in UTF-8.',
      'text/csv':
        'The same entries as CSV (RFC 4180) in UTF-8 with a line of names. A text that a spreadsheet would take for a ' +
        'formula, or that begins with an apostrophe, has an apostrophe before it.',
    },
  },
} as const

const streaming =
  'The answer is sent while the bank is read, however long it is; when the bank fails in between, the connection is ' +
  'broken off, and the answer never ends as a whole one does; so it is when the consent ends. Four lists may be read ' +
  'at the same time. Without the PSU headers the user counts as absent, and ' +
  'banks answer only a few times a day.'

export const listAccountEntries = operation({
  ...list,
  id: 'listAccountEntries',
  path: '/api/v2/accounts/{accountId}/entries',
  summary: 'List the entries on an account',
  description: streaming,
})

export const listExtendedAccountEntries = operation({
  ...list,
  id: 'listExtendedAccountEntries',
  path: '/api/v2/accounts/{accountId}/entries/extended',
  summary: 'List the entries on an account with details',
  description:
    'The latest entries are enriched with what the bank tells of each by itself, as many as it answers within a limit ' +
    `and some seconds; \`enriched\` says which. ${streaming}`,
})

export const getAccountEntryDetails = operation({
  ...read,
  id: 'getAccountEntryDetails',
  path: '/api/v2/accounts/{accountId}/entries/{transactionId}/details',
  summary: 'Read the details of an entry',
  description: 'Not every bank tells them; those that do not answer `UNSUPPORTED_PRODUCT_BY_BANK`.',
  params: Type.Object({ accountId, transactionId: pathText("The bank's id of the entry.") }),
  answer: { status: 200, schema: AccountEntryDetails },
  validation: [],
  refusals: [400, 401, 403, 404, 429, 500, 503],
})
