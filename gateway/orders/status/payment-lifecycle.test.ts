/** Property tests of polling: whatever banks report and processes do, the bank's last status is recorded. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { Connector, DomesticPaymentProduct } from '../../banks/connector/connector.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { paymentSweeps } from '../jobs.ts'
import { isAcknowledged, type Payment } from '../payment.ts'
import { ensureOrderAtBank } from '../sign/approvable.ts'
import { recordNotification } from '../store/payment-status-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { ResubmissionError } from '../submit/ensure-no-live-order.ts'
import { acknowledgementOf, recordAcknowledgement } from '../submit/record-acknowledgement.ts'
import { settleAsNeverAcknowledged } from '../submit/settle-unknown-outcome.ts'
import { newSubmission } from '../submit/submission.ts'
import { recordUserSignature } from './poll-payment.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

const RUNS = Number(process.env['HAVN_PAYMENT_LIVES'] ?? 10)
const STEPS = { minLength: 3, maxLength: 16 }

/** The statuses that banks report; the last one is unknown to us. */
const WORDS = {
  received: ['Unsigned', null],
  partly: ['CustomerActionRequired', 'PartlySigned'],
  sms: ['CustomerActionRequired', 'SmsConfirmationRequired'],
  unfunded: ['CustomerActionRequired', 'InsufficientFunds'],
  working: ['InProgress', null],
  settled: ['Completed', null],
  rejected: ['Rejected', null],
  withdrawn: ['Cancelled', null],
  riddle: [null, null],
} as const
type Word = keyof typeof WORDS

/** The status table of the decisions, written independently of the source. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  Unsigned: ['PartlySigned', 'SmsConfirmationRequired', 'InProgress', 'Completed', 'Rejected', 'Cancelled'],
  InProgress: ['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds', 'Completed', 'Rejected', 'Cancelled'],
  CustomerActionRequired: ['SmsConfirmationRequired', 'Unsigned', 'InProgress', 'Completed', 'Rejected', 'Cancelled'],
  Completed: ['Rejected'],
  Rejected: [],
  Cancelled: [],
}

type Step =
  | { readonly do: 'report' | 'report and poll'; readonly word: Word; readonly text: string | null }
  | { readonly do: 'poll' | 'fail to poll' | 'poll and crash before writing' | 'notify' | 'sign' | 'void' | 'settle' }
  | {
      readonly do: 'report, poll and crash in the transaction'
      readonly word: Word
      readonly at: 'payment_history' | 'operator_tasks' | 'events'
    }
  | { readonly do: 'read to record late' | 'record what was read' }
  | {
      readonly do:
        | 'pass the due date'
        | 'require signed cancellations'
        | 'lose the order'
        | 'lose the order and resubmit it'
        | 'acknowledge late'
        | 'void and acknowledge late'
    }

/** Steps without a precondition. */
type Alone = Exclude<Step['do'], `report${string}`>

const births = fc.constantFrom<Birth>('answered', 'unanswered')
const words = fc.constantFrom(...Object.keys(WORDS).filter(isWord))
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('report' as const, 'report and poll' as const, 'report and poll' as const),
      word: words,
      text: fc.constantFrom(null, null, 'why'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Step>(
      { do: 'poll' },
      { do: 'fail to poll' },
      { do: 'poll and crash before writing' },
      { do: 'notify' },
      { do: 'sign' },
      { do: 'void' },
      { do: 'settle' },
      { do: 'read to record late' },
      { do: 'record what was read' },
      { do: 'pass the due date' },
      { do: 'require signed cancellations' },
      { do: 'lose the order' },
      { do: 'lose the order and resubmit it' },
      { do: 'acknowledge late' },
      { do: 'void and acknowledge late' },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('report, poll and crash in the transaction' as const),
      word: words,
      at: fc.constantFrom('payment_history' as const, 'operator_tasks' as const, 'events' as const),
    }),
  },
)

let gateway: TestGateway
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** A simulated bank with a settable status, and the context of a gateway that calls it. */
function scripted() {
  const reported = { word: 'received' as Word, text: null as string | null }
  const bank = { ...reported, silent: false, gone: false, wantsSignature: false, requestedToSign: false, placed: 0 }
  const requireThere = () => {
    if (bank.silent) {
      throw new BankError('unavailable', 'The bank is unavailable')
    }
    if (bank.gone) {
      throw new BankError('expired-resource', 'The bank holds no such order any more')
    }
  }
  const observation = (): StatusObservation => {
    const [status, statusReason] = WORDS[bank.word]
    return { status, statusReason, statusReasonText: bank.text, bankStatus: bank.word }
  }
  const read = async () => {
    requireThere()
    return observation()
  }
  const never = async () => {
    throw new Error('This call is not expected here')
  }
  const domesticPayments: DomesticPaymentProduct = {
    initiate: async () => {
      Object.assign(bank, { word: 'received', gone: false, placed: bank.placed + 1 })
      return { bankPaymentId: newId(), observation: observation() }
    },
    read,
    readOrder: never,
    authorisations: { start: never, read: never, complete: never },
    cancellation: {
      cancel: async () => {
        requireThere()
        Object.assign(bank, bank.wantsSignature ? { requestedToSign: true } : { word: 'withdrawn' })
        return bank.wantsSignature ? 'authorisation-required' : 'accepted'
      },
      authorisations: { start: never, read: never, complete: never },
    },
  }
  const connectorOf = (of: Parameters<Context['banks']['connectorOf']>[0]): Connector => ({
    consents: gateway.context.banks.connectorOf(of).consents,
    domesticPayments,
  })
  // Everything happens at one instant, as it may for fast polls.
  const moment = gateway.context.clock.now()
  const clock = { ...gateway.context.clock, now: () => moment }
  return {
    bank,
    observation,
    read,
    context: { ...gateway.context, clock, banks: { ...gateway.context.banks, connectorOf } },
  }
}

type Bank = ReturnType<typeof scripted>['bank']
type Birth = 'answered' | 'unanswered'
/** The events of a life cycle about which operators must have been notified. */
type Seen = {
  signed: boolean
  unknown: boolean
  lapsed: boolean
  unread: boolean
  revived: boolean
  voidedFirst: boolean
  /** Its partner has seen it unsigned until then. */
  acknowledgedLate: boolean
  /** The bank has reported a status that only a signed order has. */
  worked: boolean
}

/** Sweeps process all payments: those of earlier life cycles would be polled at the bank of the current one. */
async function endFormerLives(): Promise<void> {
  await sql('update payments set poll_at = null, recover_at = null where coalesce(poll_at, recover_at) is not null')
  await sql('update expired_orders set poll_at = null where poll_at is not null')
}

/** The life cycle of one payment. */
async function live(birth: Birth, life: readonly Step[]): Promise<{ payment: Payment; seen: Seen; bank: Bank }> {
  await endFormerLives()
  const { bank, observation, read, context } = scripted()
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  const [row] = await sql<{ partner: string }>('select partner_id as partner from payments where id = $1', [paymentId])
  const key = { partnerId: row?.partner ?? '', id: paymentId }
  const found = async (): Promise<Payment> => {
    const payment = await findPayment(context.database, key)
    if (payment === undefined) {
      throw new Error('The payment is not there')
    }
    return payment
  }
  if (birth === 'unanswered') {
    await sql('delete from payment_history where payment_id = $1', [paymentId])
    await sql(
      `update payments set outcome = 'in-flight', bank_payment_id = null, bank_status = null, poll_at = null,
         recover_at = '2020-01-01' where id = $1`,
      [paymentId],
    )
  }
  const sweeps = paymentSweeps(context)
  const poll = async () => {
    const { status, signed, outcome } = await found()
    seen.unread ||= bank.gone && !bank.silent && outcome === 'known' && (status !== 'Unsigned' || signed)
    await sql("update payments set poll_at = '2020-01-01', lease_until = null where id = $1 and outcome = 'known'", [
      paymentId,
    ])
    await runSweepsUntilIdle(sweeps)
  }
  let late: { payment: Payment; observation: StatusObservation } | undefined
  const seen: Seen = {
    signed: false,
    unknown: false,
    lapsed: false,
    unread: false,
    revived: false,
    voidedFirst: false,
    acknowledgedLate: false,
    worked: false,
  }
  const take: Readonly<Record<Alone, () => Promise<unknown>>> = {
    poll,
    'fail to poll': async () => {
      bank.silent = true
      await poll()
      bank.silent = false
    },
    'poll and crash before writing': async () => await (bank.gone || read()),
    notify: async () => {
      const [hash] = await sql<{ hash: string }>('select notification_token_hash as hash from payments where id = $1', [
        paymentId,
      ])
      const times = { now: context.clock.now(), real: context.clock.real(), quietSeconds: 10 }
      await recordNotification(context.database, { ...key, notificationTokenHash: hash?.hash ?? '' }, times)
    },
    sign: async () => {
      const payment = await found()
      if (isAcknowledged(payment)) {
        seen.signed = true
        await recordUserSignature(context, payment)
      }
    },
    void: async () => {
      const payment = await found()
      const settling = settleAsNeverAcknowledged(context, payment)
      await (payment.outcome === 'known' ? expect(settling).rejects.toThrow() : settling)
      seen.voidedFirst ||= payment.outcome === 'in-flight' || payment.outcome === 'unknown'
    },
    settle: async () => {
      const payment = await found()
      const word = { status: 'Completed', statusReason: null, statusReasonText: null, bankStatus: bank.word } as const
      const settling = recordPaymentStatus(context, payment, word, { move: 'settle', entry: paymentId })
      await (payment.status === 'InProgress' ? settling : expect(settling).rejects.toThrow(/does not permit/))
    },
    'read to record late': async () => {
      const payment = await found()
      late = isAcknowledged(payment) && !bank.gone ? { payment, observation: await read() } : late
    },
    'record what was read': async () => {
      await (late && recordPaymentStatus(context, late.payment, late.observation))
    },
    'pass the due date': async () => {
      const { dueDate } = await found()
      await sql('update payments set due_date = $2 where id = $1', [
        paymentId,
        dueDate.subtract({ days: 9 }).toString(),
      ])
      await poll()
    },
    'require signed cancellations': async () => {
      bank.wantsSignature = true
    },
    'lose the order': async () => {
      bank.gone = true
      await poll()
    },
    'lose the order and resubmit it': async () => {
      bank.gone = true
      await poll()
      const payment = await found()
      const [consented, held] = [await consentOf(context, payment), await context.banks.find(payment.bic)]
      if (consented === undefined || held === undefined || !isAcknowledged(payment)) {
        return
      }
      const before = bank.placed
      const caller = {
        partnerId: payment.partnerId,
        partnerName: '',
        callbackOrigins: [],
        clientId: '',
        consent: consented,
        psu: null,
      }
      await ensureOrderAtBank(context, caller, held, payment).catch((error: unknown) =>
        expect(error).toBeInstanceOf(ResubmissionError),
      )
      seen.lapsed ||= bank.placed > before
    },
    'acknowledge late': async () => {
      const payment = await found()
      const { outcome, bankRequestId } = payment
      if (outcome !== 'known') {
        seen.revived ||= outcome === 'void'
        seen.acknowledgedLate ||= outcome === 'unknown'
        const submission = { ...newSubmission(context, payment), bankRequestId }
        const taken = { bankPaymentId: newId(), observation: observation() }
        const bank = await requireBank(context.banks, payment.bic)
        const acknowledgement = acknowledgementOf(context, submission, bank, taken)
        await recordAcknowledgement(context, submission, acknowledgement, { idempotent: null, answer: null })
      }
    },
    'void and acknowledge late': async () => {
      await take.void()
      await take['acknowledge late']()
    },
  }
  for (const step of life) {
    if (step.do === 'report' || step.do === 'report and poll') {
      Object.assign(bank, { word: step.word, text: step.text, gone: false })
      await (step.do === 'report' ? undefined : poll())
    } else if (step.do === 'report, poll and crash in the transaction') {
      Object.assign(bank, { word: step.word, gone: false })
      const { requestedToSign } = bank
      await dyingAt(step.at, poll)
      // A process that ended with the bank's answer notified no one; the next one requests the cancellation again.
      Object.assign(bank, step.at === 'operator_tasks' ? { requestedToSign } : {})
    } else {
      await take[step.do]()
    }
    const { outcome, expiredAt } = await found()
    seen.worked ||= bank.word === 'working' || bank.word === 'settled'
    seen.unknown ||= outcome === 'unknown'
    seen.lapsed ||= expiredAt !== null
  }
  await poll()
  const payment = await found()
  seen.unknown ||= payment.outcome === 'unknown'
  return { payment, seen, bank }
}

/** Makes writes to the table fail: the transaction ends where a process would have ended. */
async function dyingAt(table: string, poll: () => Promise<void>): Promise<void> {
  await sql(`alter table ${table} add constraint death check (false) not valid`)
  try {
    await poll().catch((error: unknown) => {
      if (!String(error).includes('death')) {
        throw error
      }
    })
  } finally {
    await sql(`alter table ${table} drop constraint death`)
  }
}

type Reported = { status: string; reason: string | null; text: string | null; bankStatus: string }
type Change = { readonly from: Reported; readonly to: Reported }
const standing = ({ status, reason }: Reported) => (status === 'CustomerActionRequired' ? (reason ?? '') : status)

const say = (word: Word) => ({ do: 'report', word, text: null }) as const
const sayAndPoll = (word: Word) => ({ do: 'report and poll', word, text: null }) as const
const dieWriting = (word: Word) =>
  ({ do: 'report, poll and crash in the transaction', word, at: 'payment_history' }) as const

/** Life cycles that once ended wrongly, or that this test once validated wrongly. */
const LESSONS: readonly [Birth, Step[], Word][] = [
  // The bank's first status was unknown, and its second one awaits a signature.
  [
    'unanswered',
    [dieWriting('riddle'), { do: 'acknowledge late' }, dieWriting('received'), say('received')],
    'received',
  ],
  // A read that a concurrent one with the same status had overtaken was stored and notified twice.
  [
    'answered',
    [
      sayAndPoll('sms'),
      dieWriting('unfunded'),
      { do: 'read to record late' },
      sayAndPoll('unfunded'),
      { do: 'record what was read' },
      say('received'),
    ],
    'received',
  ],
  // A process ended between the bank's request for a signed cancellation and the notification of operators.
  [
    'answered',
    [
      { do: 'require signed cancellations' },
      { do: 'pass the due date' },
      { do: 'report, poll and crash in the transaction', word: 'received', at: 'operator_tasks' },
    ],
    'settled',
  ],
]

const isUnusual = ({ from, to }: Change) =>
  standing(from) !== standing(to) && !USUAL[from.status]?.includes(standing(to))
/** An unknown first status is shown as in progress; awaiting a signature after that is not unexpected. */
const isGuess = ({ from, to }: Change) => from.bankStatus === 'riddle' && to.status === 'Unsigned'
const isSignedPerhaps = ({ signed, worked }: Seen) => signed || worked
/** Whether it depends on what was known of a signature at that moment. A signed order has been in progress. */
const isExcusable = (change: Change, seen: Seen) =>
  isGuess(change) || (seen.signed && change.from.status === 'Unsigned' && standing(change.to) === 'InsufficientFunds')

test(
  `ends at the bank's last word in ${RUNS} random lives of payments, and notifies each change once`,
  async () => {
    await fc.assert(
      fc.asyncProperty(births, fc.array(steps, STEPS), words, async (birth, life, last) => {
        const { payment, seen, bank } = await live(birth, [...life, { do: 'report', word: last, text: null }])
        const history = await sql<Reported>(
          `select status, status_reason as reason, status_reason_text as text, bank_status as "bankStatus"
         from payment_history where payment_id = $1 order by id`,
          [payment.id],
        )
        const [status, reason] = WORDS[bank.word]
        if (payment.outcome === 'known') {
          const isSettledByEntry = payment.settledBy !== null && status === 'InProgress'
          expect(payment.bankStatus).toBe(bank.word)
          expect(payment.status).toBe(isSettledByEntry ? 'Completed' : (status ?? history.at(-1)?.status))
          expect(payment.statusReason).toBe(status === null ? history.at(-1)?.reason : reason)
        } else {
          expect(payment.status).toBe(payment.outcome === 'void' ? 'Rejected' : 'Unsigned')
        }

        const changes = history.slice(1).map((next, n) => ({ from: history[n] ?? next, to: next }))
        const first = history.slice(0, seen.acknowledgedLate ? 1 : 0).filter((known) => known.status !== 'Unsigned')
        // No row without a change, and none missing; only the bank's first status is always stored.
        const repeated = changes.filter(({ from, to }) => from.status === to.status && from.reason === to.reason)
        const ours = seen.revived && history[0]?.status === 'Rejected' && history[1]?.status === 'Rejected'
        expect(repeated.length).toBe(ours ? 1 : 0)
        if (history.length > 0) {
          expect(history.at(-1)).toMatchObject({ status: payment.status, reason: payment.statusReason })
        }

        const events = await sql<{ body: string; occurredAt: Temporal.Instant }>(
          'select body, occurred_at as "occurredAt" from events where subject_id = $1 order by position',
          [payment.id],
        )
        const reported = events.map(({ body }) => JSON.parse(body).data)
        expect(reported.map(({ previousStatus, status }) => [previousStatus, status])).toEqual([
          ...(seen.voidedFirst ? [['Unsigned', 'Rejected']] : []),
          ...first.map((known) => ['Unsigned', known.status]),
          ...changes
            .filter(({ from, to }) => from.status !== to.status)
            .map(({ from, to }) => [from.status, to.status]),
        ])
        const times = events.map(({ occurredAt }) => occurredAt.epochMilliseconds)
        expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))

        const tasks = await sql<{ kind: string }>('select kind from operator_tasks where subject_id = $1', [payment.id])
        const unusual = changes.filter((change) => isUnusual(change) && !(isGuess(change) && !isSignedPerhaps(seen)))
        const isDoubtful = unusual.length > 0 && unusual.every((change) => isExcusable(change, seen)) && !seen.revived
        const expected = {
          UnexpectedStatus: unusual.length > 0 || seen.revived,
          UnknownOutcome: seen.unknown,
          LapsedAtBank: seen.lapsed,
          CannotBeWithdrawn: bank.requestedToSign,
          BankCannotBeRead: seen.unread,
        }
        const wanted = Object.entries(expected).flatMap(([kind, isRaised]) => (isRaised ? [kind] : []))
        const isOpen = (kind: string) => isDoubtful && kind === 'UnexpectedStatus'
        const kinds = tasks.map(({ kind }) => kind).toSorted()
        expect(kinds.filter((kind) => !isOpen(kind))).toEqual(wanted.filter((kind) => !isOpen(kind)).toSorted())
      }),
      { numRuns: RUNS, examples: [...LESSONS] },
    )
    const [positions] = await sql<{ gaps: bigint }>(
      `select count(*) as gaps from (select position - lag(position, 1, 0::bigint) over (order by position) as step
     from events) steps where step <> 1`,
    )
    expect(positions?.gaps).toBe(0n)
  },
  RUNS * 1_000 + 90_000,
)

function isWord(name: string): name is Word {
  return Object.hasOwn(WORDS, name)
}
