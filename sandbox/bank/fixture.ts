/** The shape of the sandbox bank's world: companies, people, their access, their accounts, and who is paid by a number. */
import { type Static, Type } from 'typebox'
import { BankProfile, Bic, Currency, closed, Decimal } from './bank-profile.ts'

/** What an account or giro number demands of the reference of payments to it. */
const ReferenceDemand = closed({
  /**
   * `soft`: any reference, sound or not. `hard`: none but a sound one, and no payment without. `length-digit` and
   * `fixed-length` are as hard, and the reference tells its length, or has one of `lengths`.
   */
  level: Type.Enum(['soft', 'hard', 'length-digit', 'fixed-length']),
  lengths: Type.Array(Type.Integer({ minimum: 2, maximum: 25 })),
})

const Company = closed({
  organisationNumber: Type.String({ pattern: '^[0-9]{7}-?[0-9]{1,3}$' }),
  name: Type.String(),
  /** How many of the company's people must sign each payment. */
  signaturesRequired: Type.Integer({ minimum: 1 }),
})

/** A person as a bank knows them: the same person may have another id at another bank. */
const User = closed({ id: Type.String(), name: Type.String() })

const Access = closed({
  bic: Bic,
  userId: Type.String(),
  /** Whose accounts: an organisation number, or the id of a private person. */
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
  /** What a batch is made of. */
  parts: Type.Optional(Type.Array(EntryPart)),
})

const Account = closed({
  bic: Bic,
  /** The national number, as the bank keeps it. */
  bban: Type.String({ pattern: '^[0-9]{11,15}$' }),
  owner: Type.String(),
  ownerName: Type.String(),
  name: Type.String(),
  product: Type.String({ maxLength: 35 }),
  cashAccountType: Type.String(),
  currency: Currency,
  /** How many must sign payments from it; null as many as its company says, 0 nobody. */
  signatures: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** Whether those who may pay may pay from this one. */
  payable: Type.Boolean(),
  /** What payments to it must carry; null nothing. */
  demand: Type.Union([ReferenceDemand, Type.Null()]),
  /** Balance on the first day, after the entries of `history`. */
  balance: Decimal,
  history: Type.Array(PastEntry),
})

/** Somebody who is paid by another number than an account's: a giro number, or the number of a Danish payment form. */
const Receiver = closed({
  country: Type.Enum(['NO', 'SE', 'DK', 'FI']),
  scheme: Type.Enum(['bankgiro', 'plusgiro', 'payment-form']),
  number: Type.String(),
  name: Type.String(),
  /** Where the money goes; null to a bank outside this world. */
  account: Type.Union([closed({ bic: Bic, bban: Type.String() }), Type.Null()]),
  /** Card types of payment forms that the number takes. */
  cardTypes: Type.Array(Type.String({ pattern: '^[0-9]{2}$' })),
  demand: Type.Union([ReferenceDemand, Type.Null()]),
})

export const World = Type.Object({
  banks: Type.Array(BankProfile, { minItems: 1 }),
  companies: Type.Array(Company),
  users: Type.Array(User),
  access: Type.Array(Access),
  accounts: Type.Array(Account),
  receivers: Type.Array(Receiver),
})

export type World = Static<typeof World>
export type { BankProfile, Rail } from './bank-profile.ts'
export type User = Static<typeof User>
export type Account = Static<typeof Account>
export type PastEntry = Static<typeof PastEntry>
export type Receiver = Static<typeof Receiver>
export type ReferenceDemand = Static<typeof ReferenceDemand>
