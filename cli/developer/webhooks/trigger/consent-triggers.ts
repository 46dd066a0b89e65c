/** The triggers of events about consents and entries. Consents are of a user and a bank that payments do not use. */
import { invoice, organizationNumber } from '../../../../contract/examples/demo-fixture.ts'
import {
  ACCOUNT_ENTRIES_BOOKED,
  CONSENT_EXPIRING,
  type EventTypeOf,
} from '../../../../contract/webhooks/event-types.ts'
import { HavnError } from '../../../../sdk/index.ts'
import { CommandError } from '../../command-error.ts'
import { bankDay } from '../../context.ts'
import { requireDemoCompany, type Subject, type Trigger, type TriggerStage } from './trigger-stage.ts'

/** A newer consent of the same user at the same bank would replace one that the developer works with. */
const HAVBANKEN = { bic: 'HAVBNO22', userId: 'IB12345' } as const

/** Less than the seven days before the end at which the event is due. */
const HOURS_BEFORE_EXPIRY = 6 * 24

const revoke = ({ havn, psu }: TriggerStage, { consentId = '' }: Subject) => havn.revokeConsent({ consentId, psu })

export const consentTriggers: Readonly<Record<EventTypeOf<'CONSENT'>, Trigger>> = {
  CONSENT_ACCEPTED: {
    how: 'creates a consent at Havbanken, which its user accepts; it is revoked afterwards',
    run: (stage) => decidedConsent(stage, 'sign'),
    cleanUp: revoke,
  },
  CONSENT_REJECTED: {
    how: 'creates a consent at Havbanken, which its user rejects',
    run: (stage) => decidedConsent(stage, 'reject'),
  },
  CONSENT_CANCELLED: {
    how: 'creates a consent at Havbanken, whose user leaves the page of the bank',
    run: (stage) => decidedConsent(stage, 'leave'),
  },
  CONSENT_EXPIRED: {
    how: 'creates a consent at Havbanken, which expires there',
    run: async (stage) => {
      const { consentId } = await decidedConsent(stage, 'sign')
      const { havn, psu, note } = stage
      await havn.endSandboxConsent({ params: { consentId }, body: { how: 'expired' } })
      // A bank does not notify that a consent has ended: its next use finds out.
      await havn.listAccounts({ consentId, psu }).catch((error: unknown) => {
        if (!(error instanceof HavnError)) {
          throw error
        }
        note(`The next use of the consent was rejected: ${error.failure ?? error.message}`)
      })
      return { consentId }
    },
  },
  CONSENT_REVOKED: {
    how: 'creates a consent at Havbanken, and revokes it',
    run: async (stage) => {
      const subject = await decidedConsent(stage, 'sign')
      await revoke(stage, subject)
      return subject
    },
  },
  [CONSENT_EXPIRING]: {
    how: 'creates a consent at Havbanken, and moves the clock to six days before its end',
    longMove: 'about twelve weeks',
    run: async (stage) => {
      const { consentId } = await decidedConsent(stage, 'sign')
      const { validUntil } = await stage.havn.getConsent({ consentId })
      const set = Temporal.Instant.from(validUntil).subtract({ hours: HOURS_BEFORE_EXPIRY })
      await stage.pass({ set: set.toString() })
      return { consentId }
    },
    cleanUp: revoke,
  },
}

export const entryTriggers: Readonly<Record<typeof ACCOUNT_ENTRIES_BOOKED, Trigger>> = {
  [ACCOUNT_ENTRIES_BOOKED]: {
    how: 'books an entry on an account at Fjordbanken, and lists its entries',
    run: bookEntry,
  },
}

async function decidedConsent(
  stage: TriggerStage,
  decision: 'sign' | 'reject' | 'leave',
): Promise<{ readonly consentId: string }> {
  const { havn, psu, callbackUrl, note } = stage
  await requireDemoCompany(stage)
  const { id } = await havn.createConsent({ psu, body: { ...HAVBANKEN, organizationNumber, callbackUrl } })
  const { outcome } = await havn.decideSandboxConsent({ params: { consentId: id, decision }, body: {} })
  note(`Consent ${id}: ${outcome ?? 'not decided yet'}`)
  return { consentId: id }
}

async function bookEntry(stage: TriggerStage): Promise<Subject> {
  const { havn, psu, note } = stage
  const consentId = await stage.consentId()
  const { bban } = invoice.from.account
  const { accounts } = await havn.listAccounts({ consentId, psu })
  const account = accounts.find((each) => each.bban === bban)
  if (account === undefined) {
    throw new CommandError('invalid', `Consent ${consentId} does not have the account ${bban}`)
  }
  const { bookedOn } = await havn.addSandboxEntry({
    params: { bban },
    body: { amount: '100.00', counterparty: invoice.to.contactInformation.name },
  })
  note(`Booked an entry on account ${bban} on ${bookedOn}`)
  const today = (await bankDay(stage, 'NO')).toString()
  const query = { fromDate: today, toDate: today }
  for await (const _entry of havn.iterateAccountEntries({ consentId, psu, params: { accountId: account.id }, query })) {
    // The event is recorded once the list has been read to its end.
  }
  return { accountStableId: account.stableId }
}
