/** The table of scripted users: people who decide by themselves on whatever they are asked to sign, without a browser. */
import type { Decision } from '../authorisations/authorisation.ts'
import type { ConsentStatus } from '../consents/consent.ts'

/** What a user does with an authorisation; `forget` is to let its time run out. */
export type ScriptedDecision = Decision | 'forget'

/** One row of the table. */
export type ScriptedUser = {
  /** Last two digits of the user's ids. */
  readonly number: number
  /** Name, and in lower case with a full stop the user name at Danish banks. */
  readonly name: `${string} ${string}`
  readonly tells: string
  readonly consent: ScriptedDecision
  readonly payment: ScriptedDecision
  readonly cancellation: ScriptedDecision
  readonly mayPay: boolean
  /** Whether the bank would have the user's password typed at the third party. */
  readonly wantsPassword?: true
  /** Business time after which the user signs in the netbank what was not signed in time. */
  readonly signsLateAfter?: { readonly hours: number }
  /** How access that the user gave ends, and after how much business time. */
  readonly consentEnds?: {
    readonly after: string
    readonly status: Extract<ConsentStatus, 'revokedByPsu' | 'expired' | 'terminatedByTpp'>
  }
  readonly seen: SeenOfUser
}

/** What a partner of the gateway sees of what a user decides. */
export type SeenOfUser = {
  /** Absent where it does not come to a consent. */
  readonly consent?: 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
  /** Failure of asking for access. */
  readonly asking?: 'UNSUPPORTED_PRODUCT_BY_BANK'
  /** Becomes of an approval; absent where it does not come to that. */
  readonly approval?: 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
  /** Becomes of a payment some hours after its approval ended without a signature. */
  readonly later?: 'Completed'
  /** Failure of an order; absent where it is taken. */
  readonly order?: 'ACCESS_DENIED'
  /** Failure of whatever uses the consent, once it has ended. */
  readonly afterwards?: 'INVALID_CONSENT'
}

const willing = { consent: 'approve', payment: 'approve', cancellation: 'approve', mayPay: true } as const

/** Every scripted user. */
export const scriptedUsers: readonly ScriptedUser[] = [
  {
    ...willing,
    number: 1,
    name: 'Signs Everything',
    tells: 'Gives access and signs whatever comes.',
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED' },
  },
  {
    ...willing,
    number: 2,
    name: 'Refuses Access',
    tells: 'Refuses to give access.',
    consent: 'reject',
    seen: { consent: 'REJECTED' },
  },
  {
    ...willing,
    number: 3,
    name: 'Leaves Access',
    tells: 'Leaves the page that asks for access.',
    consent: 'cancel',
    seen: { consent: 'CANCELLED' },
  },
  {
    ...willing,
    number: 4,
    name: 'Forgets Access',
    tells: 'Lets the time run out in which access can be given.',
    consent: 'forget',
    seen: { consent: 'CANCELLED' },
  },
  {
    ...willing,
    number: 5,
    name: 'Refuses Payments',
    tells: 'Gives access, and refuses to sign payments.',
    payment: 'reject',
    seen: { consent: 'ACCEPTED', approval: 'REJECTED' },
  },
  {
    ...willing,
    number: 6,
    name: 'Leaves Payments',
    tells: 'Gives access, and leaves the page on which payments are signed.',
    payment: 'cancel',
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED' },
  },
  {
    ...willing,
    number: 7,
    name: 'Forgets Payments',
    tells: 'Gives access, and lets the time run out in which payments can be signed.',
    payment: 'forget',
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED' },
  },
  {
    ...willing,
    number: 8,
    name: 'Refuses Cancelling',
    tells: 'Gives access and signs payments, and refuses to sign that one is cancelled.',
    cancellation: 'reject',
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED' },
  },
  {
    ...willing,
    number: 9,
    name: 'Revokes Access',
    tells: 'Gives access, and takes it back at the bank an hour later.',
    consentEnds: { after: 'PT1H', status: 'revokedByPsu' },
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED', afterwards: 'INVALID_CONSENT' },
  },
  {
    ...willing,
    number: 10,
    name: 'Outlives Access',
    tells: 'Gives access, and the bank lets it expire an hour later.',
    consentEnds: { after: 'PT1H', status: 'expired' },
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED', afterwards: 'INVALID_CONSENT' },
  },
  {
    ...willing,
    number: 11,
    name: 'Only Looks',
    tells: 'Gives access, and has no right to pay from any account.',
    mayPay: false,
    seen: { consent: 'ACCEPTED', order: 'ACCESS_DENIED' },
  },
  {
    ...willing,
    number: 12,
    name: 'Wants Password',
    tells: 'Has an agreement by which a bank signs with a password that you would have to ask for; Havn never does.',
    consent: 'forget',
    payment: 'forget',
    cancellation: 'forget',
    wantsPassword: true,
    seen: { asking: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    ...willing,
    number: 13,
    name: 'Signs Later',
    tells:
      'Gives access, lets the time run out in which payments can be signed, and signs them in the netbank an hour later.',
    payment: 'forget',
    signsLateAfter: { hours: 1 },
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED', later: 'Completed' },
  },
]
