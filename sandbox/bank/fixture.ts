/** The schema of the sandbox bank's fixture: companies, users, access rights, accounts and receivers. */
import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'
import { BankProfile, Bic, Currency, Decimal } from './bank-profile.ts'

/** The reference that payments to an account or giro number require. */
const ReferenceDemand = closed({
  /**
   * `soft`: any reference. `hard`: a valid reference is mandatory. `length-digit` and `fixed-length`: as `hard`, and
   * the reference contains its length, or has one of `lengths`.
   */
  level: Type.Enum(['soft', 'hard', 'length-digit', 'fixed-length']),
  lengths: Type.Array(Type.Integer({ minimum: 2, maximum: 25 })),
})

const Company = closed({
  organisationNumber: Type.String({ pattern: '^[0-9]{7}-?[0-9]{1,3}$' }),
  name: Type.String(),
  /** The number of users of the company who must sign each payment. */
  signaturesRequired: Type.Integer({ minimum: 1 }),
})

/** A user of a bank: the same natural person may have another id at another bank. */
const User = closed({ id: Type.String(), name: Type.String() })

const Access = closed({
  bic: Bic,
  userId: Type.String(),
  /** The owner: an organisation number, or the id of a natural person. */
  owner: Type.String(),
  may: Type.Array(Type.Enum(['view', 'pay'])),
})

/** One transaction of a batch. */
export const EntryPart = closed({
  /** Negative when money left the account. */
  amount: Decimal,
  counterparty: Type.String({ minLength: 1, maxLength: 70 }),
  account: Type.Optional(Type.String()),
  message: Type.Optional(Type.String({ maxLength: 140 })),
  endToEndId: Type.Optional(Type.String({ maxLength: 35 })),
})
export type EntryPart = Static<typeof EntryPart>

const PastEntry = closed({
  daysAgo: Type.Integer({ minimum: 0 }),
  amount: Decimal,
  counterparty: Type.String(),
  account: Type.Union([Type.String(), Type.Null()]),
  message: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  /** The transactions of a batch. */
  parts: Type.Optional(Type.Array(EntryPart)),
})

const Account = closed({
  bic: Bic,
  /** The national number, as the bank stores it. */
  bban: Type.String({ pattern: '^[0-9]{11,15}$' }),
  owner: Type.String(),
  ownerName: Type.String(),
  name: Type.String(),
  product: Type.String({ maxLength: 35 }),
  cashAccountType: Type.String(),
  currency: Currency,
  /** The number of signatures for payments from it; null as the company requires, 0 none. */
  signatures: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** Whether users with payment rights may pay from it. */
  payable: Type.Boolean(),
  /** The reference that payments to it must have; null when none is required. */
  demand: Type.Union([ReferenceDemand, Type.Null()]),
  /** Balance on the first day, after the entries of `history`. */
  balance: Decimal,
  history: Type.Array(PastEntry),
})

/** A payee with a number other than an account number: a giro number, or that of a Danish payment form. */
const Receiver = closed({
  country: Type.Enum(['NO', 'SE', 'DK', 'FI']),
  scheme: Type.Enum(['bankgiro', 'plusgiro', 'payment-form']),
  number: Type.String(),
  name: Type.String(),
  /** The account that is credited; null at a bank outside this fixture. */
  account: Type.Union([closed({ bic: Bic, bban: Type.String() }), Type.Null()]),
  /** Card types of payment forms that the number accepts. */
  cardTypes: Type.Array(Type.String({ pattern: '^[0-9]{2}$' })),
  demand: Type.Union([ReferenceDemand, Type.Null()]),
})

export const BankFixture = Type.Object({
  banks: Type.Array(BankProfile, { minItems: 1 }),
  companies: Type.Array(Company),
  users: Type.Array(User),
  access: Type.Array(Access),
  accounts: Type.Array(Account),
  receivers: Type.Array(Receiver),
})

export type BankFixture = Static<typeof BankFixture>
export type { BankProfile, Rail } from './bank-profile.ts'
export type User = Static<typeof User>
export type Account = Static<typeof Account>
export type PastEntry = Static<typeof PastEntry>
export type Receiver = Static<typeof Receiver>
export type ReferenceDemand = Static<typeof ReferenceDemand>
