/** The shape of the sandbox bank's world: banks by profile, companies, people, their access and their accounts. */
import { type Static, Type } from 'typebox'

const Decimal = Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,2})?$' })
const Bic = Type.String({ pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' })

/** How one bank speaks and what it demands; another bank is another row of this. */
const BankProfile = Type.Object(
  {
    bic: Bic,
    name: Type.String(),
    country: Type.Literal('NO'),
    timeZone: Type.String(),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    /** First part of the bank's path, in front of `/v1`. */
    basePath: Type.String({ pattern: '^[a-z0-9-]+$' }),
    errorFormat: Type.Union([Type.Literal('A'), Type.Literal('B')]),
    links: Type.Union([Type.Literal('absolute'), Type.Literal('relative')]),
    products: Type.Array(Type.String()),
    initialStatus: Type.Union([Type.Literal('RCVD'), Type.Literal('PDNG'), Type.Literal('ACTC')]),
    psuIdRequired: Type.Boolean(),
    endToEndId: Type.Union([Type.Literal('ignored'), Type.Literal('refused')]),
    amountMax: Decimal,
    daysAheadMax: Type.Integer({ minimum: 0 }),
    messageMaxLength: Type.Integer({ minimum: 1, maximum: 140 }),
    authorisationMinutes: Type.Integer({ minimum: 1 }),
    settlement: Type.Object(
      {
        /** From signing to booking when the payment is due already. */
        sameDaySeconds: Type.Integer({ minimum: 0 }),
        /** Local time on the due day at which payments signed earlier are booked. */
        laterAt: Type.String({ pattern: '^[0-2][0-9]:[0-5][0-9]$' }),
      },
      { additionalProperties: false },
    ),
    unsignedLifetime: Type.Object(
      {
        /** How long an unsigned payment is kept; null until the end of its due day. */
        minutes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
        outcome: Type.Union([Type.Literal('reject'), Type.Literal('forget')]),
      },
      { additionalProperties: false },
    ),
    /** What cancelling a signed payment takes while it is not yet being executed. */
    cancelAfterSigning: Type.Union([Type.Literal('authorisation'), Type.Literal('direct'), Type.Literal('refused')]),
    consent: Type.Object(
      { daysMax: Type.Integer({ minimum: 1 }), newerEndsOlder: Type.Boolean() },
      { additionalProperties: false },
    ),
    transactionsPerPage: Type.Integer({ minimum: 1 }),
    historyDays: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
)

const Company = Type.Object(
  {
    organisationNumber: Type.String({ pattern: '^[0-9]{9}$' }),
    name: Type.String(),
    /** How many of the company's people must sign each payment. */
    signaturesRequired: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
)

const User = Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false })

const Access = Type.Object(
  {
    bic: Bic,
    userId: Type.String(),
    /** Whose accounts: an organisation number, or the id of a private person. */
    owner: Type.String(),
    may: Type.Array(Type.Union([Type.Literal('view'), Type.Literal('pay')])),
  },
  { additionalProperties: false },
)

const PastEntry = Type.Object(
  {
    daysAgo: Type.Integer({ minimum: 0 }),
    amount: Decimal,
    counterparty: Type.String(),
    account: Type.Union([Type.String(), Type.Null()]),
    message: Type.Optional(Type.String()),
    reference: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

const Account = Type.Object(
  {
    bic: Bic,
    bban: Type.String({ pattern: '^[0-9]{11}$' }),
    owner: Type.String(),
    ownerName: Type.String(),
    name: Type.String(),
    product: Type.String({ maxLength: 35 }),
    cashAccountType: Type.String(),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    /** Whether the account takes no payment without a KID. */
    kidOnly: Type.Boolean(),
    /** Balance on the first day, after the entries of `history`. */
    balance: Decimal,
    history: Type.Array(PastEntry),
  },
  { additionalProperties: false },
)

export const World = Type.Object({
  banks: Type.Array(BankProfile, { minItems: 1 }),
  companies: Type.Array(Company),
  users: Type.Array(User),
  access: Type.Array(Access),
  accounts: Type.Array(Account),
})

export type World = Static<typeof World>
export type BankProfile = Static<typeof BankProfile>
export type Company = Static<typeof Company>
export type User = Static<typeof User>
export type Account = Static<typeof Account>
export type PastEntry = Static<typeof PastEntry>
