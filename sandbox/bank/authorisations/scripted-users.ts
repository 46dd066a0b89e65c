/** The table of scripted users, who decide on every authorisation without a browser. */

import type { Decision } from './authorisation.ts'

/** A scripted decision; `forget` lets the authorisation expire. */
export type ScriptedDecision = Decision | 'forget'

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
  /** Whether the bank would require the user's password in the third party's application. */
  readonly wantsPassword?: true
  /** Whether the user has several methods to sign with where the bank has an app, and chooses one in every signature. */
  readonly choosesMethod?: true
  /** Business time after which the user signs an expired authorisation in the online bank. */
  readonly signsLateAfter?: { readonly hours: number }
  /** How the user's consent ends, and after how much business time. */
  readonly consentEnds?: {
    readonly after: string
    readonly status: 'revokedByPsu' | 'expired'
  }
  readonly seen: PartnerViewOfUser
}

/** What a partner of the gateway sees of the user's decision. */
export type PartnerViewOfUser = {
  /** Absent where no consent is created. */
  readonly consent?: 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
  /** Error of the consent request. */
  readonly asking?: 'UNSUPPORTED_PRODUCT_BY_BANK'
  /** Outcome of an approval; absent where there is none. */
  readonly approval?: 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
  /** Status of a payment some hours after its approval ended without a signature. */
  readonly later?: 'Completed'
  /** Error of an order; absent where it is accepted. */
  readonly order?: 'ACCESS_DENIED'
  /** Error of cancelling what another user ordered, signed or not. */
  readonly cancelling?: 'ACCESS_DENIED'
  /** Error of every use of the consent, once it has ended. */
  readonly afterwards?: 'INVALID_CONSENT'
}

const ACCEPTING = { consent: 'approve', payment: 'approve', cancellation: 'approve', mayPay: true } as const

/** Each does what `ACCEPTING` says, unless it says otherwise. */
const rows: readonly (Omit<ScriptedUser, keyof typeof ACCEPTING> & Partial<ScriptedUser>)[] = [
  {
    number: 1,
    name: 'Signs Everything',
    tells: 'Gives consent and signs everything.',
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED' },
  },
  {
    number: 2,
    name: 'Refuses Access',
    tells: 'Rejects the consent.',
    consent: 'reject',
    seen: { consent: 'REJECTED' },
  },
  {
    number: 3,
    name: 'Leaves Access',
    tells: 'Leaves the page of the consent.',
    consent: 'cancel',
    seen: { consent: 'CANCELLED' },
  },
  {
    number: 4,
    name: 'Forgets Access',
    tells: 'Lets the consent expire unsigned.',
    consent: 'forget',
    seen: { consent: 'CANCELLED' },
  },
  {
    number: 5,
    name: 'Refuses Payments',
    tells: 'Gives consent, and rejects payments.',
    payment: 'reject',
    seen: { consent: 'ACCEPTED', approval: 'REJECTED' },
  },
  {
    number: 6,
    name: 'Leaves Payments',
    tells: 'Gives consent, and leaves the page on which payments are signed.',
    payment: 'cancel',
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED' },
  },
  {
    number: 7,
    name: 'Forgets Payments',
    tells: 'Gives consent, and lets the authorisation of payments expire.',
    payment: 'forget',
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED' },
  },
  {
    number: 8,
    name: 'Refuses Cancelling',
    tells: 'Gives consent and signs payments, and rejects cancellations.',
    cancellation: 'reject',
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED' },
  },
  {
    number: 9,
    name: 'Revokes Access',
    tells: 'Gives consent, and revokes it at the bank an hour later.',
    consentEnds: { after: 'PT1H', status: 'revokedByPsu' },
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED', afterwards: 'INVALID_CONSENT' },
  },
  {
    number: 10,
    name: 'Outlives Access',
    tells: 'Gives consent, which expires at the bank an hour later.',
    consentEnds: { after: 'PT1H', status: 'expired' },
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED', afterwards: 'INVALID_CONSENT' },
  },
  {
    number: 11,
    name: 'Only Looks',
    tells: 'Gives consent, and may only read the accounts: has no right to pay from any.',
    mayPay: false,
    seen: { consent: 'ACCEPTED', order: 'ACCESS_DENIED', cancelling: 'ACCESS_DENIED' },
  },
  {
    number: 12,
    name: 'Wants Password',
    tells: 'Signs with a bank password that the third party would have to collect, which Havn never does.',
    consent: 'forget',
    payment: 'forget',
    cancellation: 'forget',
    wantsPassword: true,
    seen: { asking: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    number: 13,
    name: 'Signs Later',
    tells: 'Gives consent, lets the authorisation of payments expire, and signs them in the online bank an hour later.',
    payment: 'forget',
    signsLateAfter: { hours: 1 },
    seen: { consent: 'ACCEPTED', approval: 'CANCELLED', later: 'Completed' },
  },
  {
    number: 14,
    name: 'Chooses Method',
    tells:
      'Gives consent and signs everything. At banks with an app has three methods, of which the user of the page behind ' +
      'the link chooses one; the bank does not accept the SMS.',
    choosesMethod: true,
    seen: { consent: 'ACCEPTED', approval: 'ACCEPTED' },
  },
]

export const scriptedUsers: readonly ScriptedUser[] = rows.map((row) => ({ ...ACCEPTING, ...row }))
