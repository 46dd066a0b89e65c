/** Describes the bodies of webhook events. */
import { type Static, type TProperties, Type } from 'typebox'
import { ApprovalStatus } from '../approvals.ts'
import { ConsentStatus, ConsentStatusReason } from '../consents.ts'
import { OnboardingStatus, OnboardingStatusReason } from '../onboarding.ts'
import { PaymentStatusReason, PaymentStatusValue } from '../payments/payment-status.ts'
import { instant, orNull, text, uuid } from '../shapes.ts'
import {
  type EventFamily,
  type EventType,
  eventFamilies,
  exchangeEventTypes,
  paymentEventTypes,
} from './event-types.ts'

export const EVENT_VERSION = '1'

export const PaymentStatusEvent = Type.Object(
  {
    id: uuid('Identifies the event; the same in every delivery of it.'),
    type: Type.Enum(Object.values(paymentEventTypes), { description: 'The status that the payment has changed to.' }),
    version: Type.Literal(EVENT_VERSION, { description: 'The version of this shape.' }),
    occurredAt: instant('When it happened; later than every earlier event of the payment.'),
    data: Type.Object(
      {
        paymentId: uuid('The payment.'),
        previousStatus: PaymentStatusValue,
        status: PaymentStatusValue,
        statusReason: orNull(PaymentStatusReason, 'The reason; null if there is none.'),
        statusReasonText: orNull(
          text("The bank's own text."),
          "The bank's own text; for operators, not for end users.",
        ),
      },
      { title: 'PaymentStatusChange', description: 'What changed.' },
    ),
  },
  { title: 'PaymentStatusEvent', description: "A change of a payment's status." },
)
export type PaymentStatusEvent = Static<typeof PaymentStatusEvent>

/** The envelope that all events have in common, around what changed. */
const eventOf = <Name extends EventType, Data extends TProperties>(
  types: readonly Name[],
  data: Data,
  { title, dataTitle, description }: { readonly [name in 'title' | 'dataTitle' | 'description']: string },
) =>
  Type.Object(
    {
      id: uuid('Identifies the event; the same in every delivery of it.'),
      type: Type.Enum([...types], { description: 'What happened.' }),
      version: Type.Literal(EVENT_VERSION, { description: 'The version of this shape.' }),
      occurredAt: instant('When it happened; later than every earlier event of this family about the same subject.'),
      data: Type.Object(data, { title: dataTitle, description: 'What changed.' }),
    },
    { title, description },
  )

export const PayrollStatusEvent = eventOf(
  eventFamilies.PAYROLL_STATUS,
  { payrollId: uuid('The payroll.'), previousStatus: PaymentStatusValue, status: PaymentStatusValue },
  { title: 'PayrollStatusEvent', dataTitle: 'PayrollStatusChange', description: "A change of a payroll's status." },
)
export type PayrollStatusEvent = Static<typeof PayrollStatusEvent>

/** How many transactions one event names; more are in further events. */
export const TRANSACTIONS_PER_EVENT_MAX = 100

const ChangedTransaction = Type.Object(
  {
    position: Type.Integer({ minimum: 0, description: 'Its position in `transactions` of the payroll, from 0.' }),
    previousStatus: PaymentStatusValue,
    statusReason: orNull(PaymentStatusReason, 'The reason; null if there is none.'),
  },
  { title: 'ChangedPayrollTransaction', description: 'A transaction whose status has changed.' },
)

export const PayrollTransactionStatusEvent = eventOf(
  eventFamilies.PAYROLL_TRANSACTION_STATUS,
  {
    payrollId: uuid('The payroll.'),
    status: PaymentStatusValue,
    transactions: Type.Array(ChangedTransaction, {
      minItems: 1,
      maxItems: TRANSACTIONS_PER_EVENT_MAX,
      description: 'The transactions that now have this status. Nothing else about them is sent.',
    }),
  },
  {
    title: 'PayrollTransactionStatusEvent',
    dataTitle: 'PayrollTransactionStatusChange',
    description: 'Transactions of a payroll have changed to one status. Never names, accounts or amounts.',
  },
)
export type PayrollTransactionStatusEvent = Static<typeof PayrollTransactionStatusEvent>

export const ApprovalStatusEvent = eventOf(
  eventFamilies.APPROVAL_STATUS,
  {
    approvalId: uuid('The approval.'),
    subject: Type.Enum(['payments', 'payrolls'], { description: 'What is approved.' }),
    previousStatus: ApprovalStatus,
    status: ApprovalStatus,
  },
  {
    title: 'ApprovalStatusEvent',
    dataTitle: 'ApprovalStatusChange',
    description: 'An approval of payments or payrolls has ended.',
  },
)
export type ApprovalStatusEvent = Static<typeof ApprovalStatusEvent>

export const ConsentEvent = eventOf(
  eventFamilies.CONSENT,
  {
    consentId: uuid('The consent.'),
    previousStatus: orNull(ConsentStatus, 'Null when the status did not change: with CONSENT_EXPIRING.'),
    status: ConsentStatus,
    statusReason: orNull(ConsentStatusReason, 'The reason; null if there is none.'),
    validUntil: instant('When the consent expires unless it is revoked before.'),
  },
  {
    title: 'ConsentEvent',
    dataTitle: 'ConsentChange',
    description: 'A consent was accepted, expires within seven days, or has ended.',
  },
)
export type ConsentEvent = Static<typeof ConsentEvent>

export const OnboardingStatusEvent = eventOf(
  eventFamilies.ONBOARDING_STATUS,
  {
    onboardingId: uuid('The onboarding.'),
    previousStatus: OnboardingStatus,
    status: OnboardingStatus,
    statusReason: orNull(OnboardingStatusReason, 'The reason; null if there is none.'),
  },
  {
    title: 'OnboardingStatusEvent',
    dataTitle: 'OnboardingStatusChange',
    description: "A change of an onboarding's status.",
  },
)
export type OnboardingStatusEvent = Static<typeof OnboardingStatusEvent>

export const ExchangeEvent = eventOf(
  eventFamilies.EXCHANGE,
  {
    paymentId: orNull(uuid('The payment.'), 'The payment; null where funds for a quote arrived without one.'),
    referenceCode: text('The reference of the funding payment, as in the quote.'),
    step: Type.Enum(Object.keys(exchangeEventTypes) as (keyof typeof exchangeEventTypes)[], {
      description: 'The step, as in the `timeline` of the payment.',
    }),
  },
  {
    title: 'ExchangeEvent',
    dataTitle: 'ExchangeProgress',
    description: 'The next step of the exchange of a payment, after its booking.',
  },
)
export type ExchangeEvent = Static<typeof ExchangeEvent>

export const AccountEntriesEvent = eventOf(
  eventFamilies.ACCOUNT_ENTRIES,
  {
    accountStableId: text('The account: `stableId` in the list of accounts.'),
    consentId: uuid('The consent under which the account was read.'),
    newEntries: Type.Integer({ minimum: 1, description: 'How many booked entries there are more than before.' }),
    fromDate: text('The first booking date with a new entry; `fromDate` of the list of entries.'),
    toDate: text('The last booking date with a new entry.'),
  },
  {
    title: 'AccountEntriesEvent',
    dataTitle: 'NewAccountEntries',
    description:
      'Booked entries were read that were not there when the account was read before. Accounts are not read for ' +
      'this: it is sent when your own software reads entries, and when entries are read to settle payments.',
  },
)
export type AccountEntriesEvent = Static<typeof AccountEntriesEvent>

/** The body of the events of each family. */
export const eventSchemas = {
  PAYMENT_STATUS: PaymentStatusEvent,
  PAYROLL_STATUS: PayrollStatusEvent,
  PAYROLL_TRANSACTION_STATUS: PayrollTransactionStatusEvent,
  APPROVAL_STATUS: ApprovalStatusEvent,
  CONSENT: ConsentEvent,
  ONBOARDING_STATUS: OnboardingStatusEvent,
  EXCHANGE: ExchangeEvent,
  ACCOUNT_ENTRIES: AccountEntriesEvent,
} as const satisfies Record<EventFamily, unknown>

/** The body of an event, by family. */
export type EventBodies = { readonly [Family in EventFamily]: Static<(typeof eventSchemas)[Family]> }

/** Any event; `type` says which. */
export const WebhookEventBody = Type.Union(
  [
    PaymentStatusEvent,
    PayrollStatusEvent,
    PayrollTransactionStatusEvent,
    ApprovalStatusEvent,
    ConsentEvent,
    OnboardingStatusEvent,
    ExchangeEvent,
    AccountEntriesEvent,
  ],
  { title: 'WebhookEvent', description: 'An event; `type` says which.' },
)

/** The type of the event that a test delivers. */
export const TEST_EVENT = 'webhook.test'

export const TestEvent = Type.Object(
  {
    id: uuid('Identifies the event.'),
    type: Type.Literal(TEST_EVENT, { description: 'A test.' }),
    createdAt: instant('When the test was requested.'),
  },
  { title: 'TestEvent', description: 'What a test of a subscription delivers.' },
)
export type TestEvent = Static<typeof TestEvent>
