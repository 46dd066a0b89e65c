/** `havn status`: prints the status of a payment, payroll or consent, and follows it until it is final. */

import type { Command } from 'commander'
import type { PaymentStatusReason } from '../../../contract/payments/payment-status.ts'
import { HavnError } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import { developerCommand } from '../command-options.ts'
import type { Connection, Context } from '../context.ts'
import { waitUntil } from '../output/wait-until.ts'
import { findPayment, orUndefined } from './approve.ts'

/** One line of what happened. */
type StatusLine = {
  readonly timestamp: string
  readonly status: string
  readonly reason?: PaymentStatusReason | string | undefined
  readonly text?: string | undefined
}

/** What is followed, as the last request has read it. */
type Followed = {
  readonly id: string
  readonly noun: 'payment' | 'payroll' | 'consent'
  readonly history: readonly StatusLine[]
  readonly isFinal: boolean
  readonly outcomeUnknown: boolean
  readonly status: string
}

const SUCCESSFUL = ['Completed', 'ACCEPTED']
const UNAUTHORIZED = 401

export async function status(context: Context, id: string, { follow }: { readonly follow?: boolean }): Promise<void> {
  const connection = await context.connect()
  const { output } = context
  const read = await readerOf(connection, id)
  const printed = new Set<string>()
  const print = ({ history }: Followed) => {
    for (const [index, line] of history.entries()) {
      // A transaction of a payroll keeps its place, and the time of a status changes whenever it is read.
      const key = [index, line.status, line.reason].join(' ')
      if (!printed.has(key)) {
        printed.add(key)
        const { timestamp, status: value, reason, text } = line
        output.result({ id, ...line }, [timestamp, value, reason, text].filter(Boolean).join('  '))
      }
    }
  }
  const report = (followed: Followed) => {
    print(followed)
    if (follow === true && !followed.isFinal) {
      output.progress(`${followed.noun} ${id} is ${followed.status}; waiting …`)
    }
    return followed
  }
  const last = await waitUntil(
    async () => report(await read()),
    ({ isFinal }) => isFinal || follow !== true,
    context.signal,
  )
  if (last.outcomeUnknown) {
    const message = `The outcome of ${last.noun} ${id} is unknown: the bank may or may not have it. Do not order it again`
    throw new CommandError('unavailable', message, { next: `havn status ${id} --follow` })
  }
  if (follow === true && !SUCCESSFUL.includes(last.status)) {
    throw new CommandError('unsuccessful', `${last.noun} ${id} is ${last.status}`)
  }
}

/** Finds out what the id names, and returns how it is read. */
async function readerOf(connection: Connection, id: string): Promise<() => Promise<Followed>> {
  const readers = [readPayment, readPayroll, readConsent]
  for (const reader of readers) {
    if ((await reader(connection, id)) !== undefined) {
      return async () => (await reader(connection, id)) ?? gone(id)
    }
  }
  return gone(id)
}

function gone(id: string): never {
  throw new CommandError('invalid', `There is no payment, payroll or consent ${id}`)
}

async function readPayment(connection: Connection, id: string): Promise<Followed | undefined> {
  // Reads at the bank when the stored status is old, which getting the payment does not.
  const polled = await orUndefined(connection.havn.getPaymentStatus({ params: { paymentId: id } }))
  const payment = polled === undefined ? undefined : await findPayment(connection, id)
  return (
    payment && {
      id,
      noun: 'payment',
      history: payment.statusHistory.map(({ timestamp, status: value, statusReason, statusReasonText }) => ({
        timestamp,
        status: value,
        reason: statusReason,
        text: statusReasonText,
      })),
      isFinal: payment.finalStatus,
      outcomeUnknown: payment.outcomeUnknown,
      status: payment.paymentStatus.status,
    }
  )
}

async function readPayroll({ havn }: Connection, id: string): Promise<Followed | undefined> {
  const payroll = await orUndefined(havn.getPayrollStatus({ params: { payrollId: id } })).catch((error: unknown) => {
    // Credentials without the payroll permission cannot see whether there is one.
    if (error instanceof HavnError && error.status === 403) {
      return undefined
    }
    throw error
  })
  return (
    payroll && {
      id,
      noun: 'payroll',
      history: payroll.transactions.map((transaction) => ({
        timestamp: transaction.timestamp,
        status: transaction.payrollStatus,
        reason: transaction.payrollStatusReason,
        text: transaction.endToEndId,
      })),
      isFinal: payroll.finalStatus,
      outcomeUnknown: payroll.outcomeUnknown,
      status: payroll.currentPayrollStatus,
    }
  )
}

async function readConsent({ havn }: Connection, id: string): Promise<Followed | undefined> {
  const consent = await havn.getConsent({ consentId: id }).catch((error: unknown) => {
    if (error instanceof HavnError && (error.failure === 'INVALID_CONSENT' || error.status === UNAUTHORIZED)) {
      return undefined
    }
    throw error
  })
  return (
    consent && {
      id,
      noun: 'consent',
      history: [{ timestamp: consent.updatedAt, status: consent.status, reason: consent.statusReason }],
      isFinal: consent.status !== 'AUTHORIZATION_REQUIRED',
      outcomeUnknown: false,
      status: consent.status,
    }
  )
}

export function declareStatus(command: Command): void {
  developerCommand(command, status, [['havn status $PAYMENT --follow', 'exits with 4 unless it is completed']])
    .argument('<id>', 'the id of the payment, payroll or consent')
    .option('--follow', 'print every change until the status is final')
}
