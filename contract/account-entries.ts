/** Declares the operations on account entries: list a date range, with or without details, and get one entry. */
import { type Static, Type } from 'typebox'
import { codedErrorBody } from './errors/error-bodies.ts'
import { operation } from './operation.ts'
import { currencyCode, day, instant, pathParameter, text, uuid } from './shapes.ts'

const AMOUNT_MAX = 999_999_999_999.99

const EntryAmount = Type.Object(
  {
    amount: Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description: 'Never negative: `type` gives the direction. Exact, with the decimals of its currency, usually two.',
    }),
    currency: currencyCode('The currency (ISO 4217).'),
  },
  { title: 'EntryAmount', description: 'An amount and its currency.' },
)

const EntryParty = Type.Object(
  {
    name: Type.Optional(text('The name of the account holder.')),
    bban: Type.Optional(text('The account number in its domestic format.')),
    iban: Type.Optional(text('The IBAN.')),
  },
  { title: 'EntryParty', description: 'The debtor or creditor of an entry, as far as the bank names it.' },
)

const StructuredReference = Type.Object(
  {
    reference: text('The reference.'),
    type: Type.Optional(text('The type of the reference, for example `SCOR`.')),
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
        description: 'All structured references, each with its type where the bank gives it.',
      }),
    ),
    unstructured: Type.Optional(text('The message.')),
  },
  { title: 'EntryRemittance', description: 'The remittance information of the entry.' },
)

const AccountEntryType = Type.Enum(['CREDIT', 'DEBIT'], {
  title: 'AccountEntryType',
  description: 'CREDIT: money came in. DEBIT: money went out.',
})

const AccountEntryStatus = Type.Enum(['BOOKED', 'PENDING'], {
  title: 'AccountEntryStatus',
  description: 'Booked or pending; a pending entry may still change, or never be booked.',
})

const EntryElement = Type.Object(
  {
    postedAmount: Type.Optional(EntryAmount),
    type: AccountEntryType,
    creditor: EntryParty,
    debtor: EntryParty,
    remittanceInformation: RemittanceTold,
    endToEndId: Type.Optional(text('The endToEndId assigned by the payer.')),
  },
  { title: 'EntryElement', description: 'One transaction of a batch booking.' },
)

export const AccountEntry = Type.Object(
  {
    transactionId: text(
      "The bank's id of the entry; empty if it has none. Some banks change it when a pending entry is booked.",
    ),
    stableEntryId: text('Identifies the entry before and after it is booked, under every consent.'),
    postedAmount: EntryAmount,
    type: AccountEntryType,
    status: AccountEntryStatus,
    bookingDateTime: Type.Optional(
      instant(
        'The booking date. Banks give a date without time: `2026-11-25T00:00:00.000Z` is 25 November, whose midnight ' +
          'in UTC is on the same day at every bank. Absent while pending.',
      ),
    ),
    valueDateTime: Type.Optional(
      instant('The value date, in the format of `bookingDateTime`; for a pending entry, the expected date.'),
    ),
    purposeText: Type.Optional(text('The purpose of the transfer, in the text of the bank.')),
    remittanceInformation: RemittanceTold,
    creditor: EntryParty,
    debtor: EntryParty,
    endToEndId: Type.Optional(text('The endToEndId assigned by the payer, where the bank reports it.')),
    paymentId: Type.Optional(uuid('Your payment that this entry belongs to. Absent when the match is not certain.')),
    elements: Type.Optional(
      Type.Array(EntryElement, {
        description: 'The transactions of a batch booking, as far as the bank reports them.',
      }),
    ),
    enriched: Type.Boolean({ description: 'Whether the details of this entry were read from the bank.' }),
  },
  { title: 'AccountEntry', description: 'An entry on an account.' },
)
export type AccountEntry = Static<typeof AccountEntry>

const AccountEntryDetails = Type.Object(
  {
    ...AccountEntry.properties,
    stableEntryId: Type.Optional(
      text('As in the list. Absent at banks whose ids change when an entry is booked: use the list there.'),
    ),
  },
  { title: 'AccountEntryDetails', description: 'An entry on an account, with its details.' },
)

export const AccountEntryList = Type.Object(
  { accountEntries: Type.Array(AccountEntry, { description: "The entries, in the bank's order, pending ones last." }) },
  { title: 'AccountEntryList', description: 'The entries on an account in a date range.' },
)
export type AccountEntryList = Static<typeof AccountEntryList>

const read = {
  method: 'GET',
  tag: 'Accounts',
  isConfidential: true,
  admits: 'consent',
  psu: 'optional',
  failures: [
    'INVALID_CONSENT',
    'INVALID_ACCOUNT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'ACCESS_DENIED',
  ],
  errorBodies: { 403: codedErrorBody.INACTIVE_SUBSCRIPTION },
  malformedIds: { accountId: 'INVALID_ACCOUNT' },
} as const

const accountId = pathParameter('The id from the list of accounts; it may differ for every consent.')

const period = Type.Object({
  fromDate: day("The first day, in the bank's time zone."),
  toDate: day("The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the first."),
})

const list = {
  ...read,
  params: Type.Object({ accountId }),
  query: period,
  validation: ['InvalidRequest'],
  errorStatuses: [400, 401, 403, 404, 406, 429, 500, 503],
  answer: {
    status: 200,
    schema: AccountEntryList,
    otherForms: {
      'application/xml': 'The same entries as a statement in ISO 20022 `camt.053.001.08`, in UTF-8.',
      'text/csv':
        'The same entries as CSV (RFC 4180) in UTF-8 with a header line. Before the character that would begin a ' +
        'formula in a spreadsheet (`=`, `+`, `-`, `@`), and before an apostrophe in that place, stands an apostrophe: ' +
        'at the start of a text, and after a `;`, `,`, `|`, tab or line break in it, blanks and quotes ignored.',
    },
  },
} as const

const streaming =
  'The response is streamed while the bank is read. If the bank fails or the consent ends meanwhile, the connection ' +
  'is aborted, so that an incomplete response cannot be mistaken for a complete one. Four lists may be read ' +
  'concurrently. Without the PSU headers the user counts as absent, and banks allow only a few reads a day.'

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
    'The latest entries are enriched with the details that the bank gives for single entries, up to a maximum number ' +
    `and time; \`enriched\` says which. ${streaming}`,
})

export const getAccountEntryDetails = operation({
  ...read,
  id: 'getAccountEntryDetails',
  path: '/api/v2/accounts/{accountId}/entries/{transactionId}/details',
  summary: 'Get the details of an entry',
  description: 'Not every bank offers them; the others return `UNSUPPORTED_PRODUCT_BY_BANK`.',
  params: Type.Object({ accountId, transactionId: pathParameter("The bank's id of the entry.") }),
  answer: { status: 200, schema: AccountEntryDetails },
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
})
